"""The tasks, a file each, with its parameters, its cover stories, its play and its scores."""
