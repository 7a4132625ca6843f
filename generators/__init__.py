"""MAKE: seeded generators.

Read `stream` (named randomness), `item` (the one record), `jsonl` (files of items), `dataset` (what a family is),
`answering` and `episode` (how items are answered or played), then one family, for example `planted_cues`.
"""
