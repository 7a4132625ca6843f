"""Cover stories, a file a task: words, and in two of them payouts told 50 lower; an episode is the same game in all."""
