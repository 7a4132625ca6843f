"""Published splits: two parts of a benchmark, what they share, and what a probe carries over."""
