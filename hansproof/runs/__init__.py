"""Runs: a model or any function plays every episode. Read `games`, then `turn`, `playing`, and `keeping`."""
