"""Which items of a benchmark belong together, so that folds never part them, and which texts occur twice.

Read in this order: `sentences` (text to sentences to words), `skeleton` (what is left of a text without its
names and things), `joins` (what makes two items one group), `components` (union-find with a limit), `found`
(the whole search on one screen), then `summary` and `duplicates` (what the report says of it).
"""
