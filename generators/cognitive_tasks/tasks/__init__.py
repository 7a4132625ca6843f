"""The tasks, a file each: parameters, cover stories, play and scores. Each has a TASK."""
