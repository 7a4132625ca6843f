"""Releases: frozen, versioned data.

Read `manifest` (what a release says of itself), `freeze` (how it is made), `verify` (how it is checked).
"""
