"""Releases in the files of other evaluation harnesses, a file each. Read `export` first."""
