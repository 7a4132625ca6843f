"""Word lists as plain text, written by hand. Read `words.py` (the loader), then `verbs.py`."""
