"""Auditing as commands and studies need it: run, kept, reported, and joined with answers."""
