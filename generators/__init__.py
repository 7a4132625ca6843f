"""MAKE: seeded generators. Read `stream.py`, `item.py`, `jsonl.py`, then one family, e.g. `planted_cues/`."""
