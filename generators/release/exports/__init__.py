"""One file a harness: what it wants beside the unchanged rows. Read `source.py` first, then any of them."""
