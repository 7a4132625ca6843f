"""MAKE: seeded generators.

Read `stream` (named randomness), `item` (the one record), `dataset` (what a family is), `answering` (how items are
answered), `episode` (how they are played), then one family, for example `planted_cues`. README.md is the map.
"""
