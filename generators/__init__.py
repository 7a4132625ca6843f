"""MAKE: seeded generators.

Read `stream` (named randomness), `item` (the one record), `jsonl` (files of items), `dataset` (what a family is),
`scorer` and `episode` (how it is answered or played), then one family, for example `planted_cues`.
"""
