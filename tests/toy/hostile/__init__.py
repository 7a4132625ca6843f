"""Hostile input: a world of files, every command with one thing wrong in it, damaged files and requests to end."""
