"""Strategies that answer puzzles without solving them.

Read `surface` (what they see), `whole` (guesses for whole answers), `characters` (guesses character by character), then
`strategies` (all of them).
"""
