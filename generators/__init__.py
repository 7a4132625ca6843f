"""MAKE: seeded generators.

Read `stream` (named randomness), `item` (the one record), `jsonl` (files of items), `dataset` (what a family is),
`answering` (how items are answered), `episode` and `player` (how they are played), then one family, for example
`planted_cues`.
"""
