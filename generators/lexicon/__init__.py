"""Word lists as plain text, written by hand, and their loader."""
