"""Releases: frozen, versioned data.

Read `manifest.py` (what a release says of itself), `freeze.py` (how it is made), `verify.py` (how it is checked).
"""
