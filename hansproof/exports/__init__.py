"""Releases in the files of other evaluation harnesses. Read `export`, then `tasks`."""
