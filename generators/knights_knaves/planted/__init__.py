"""Puzzles drawn for a solution that is drawn first: the ladder of difficulty, and the pairs of memorisation.

Read `claims` (a puzzle that fits a given solution), `needs` (which suppositions it takes), `ladder`, `memorisation`.
"""
