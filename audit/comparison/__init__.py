"""Two results of the same benchmark, an old and a new one: `records.py` says what changed, `diff.py` finds it."""
