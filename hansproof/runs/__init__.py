"""Runs: a model or any function plays every episode. Read `games`, `asking`, `turn`, `playing`, `book`."""
