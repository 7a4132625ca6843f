"""Cover stories, a file a task: words alone, so that an episode is the same game in every one of them."""
