"""Several surface forms of one problem: how far the answers to them differ."""
