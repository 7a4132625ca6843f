"""Which items of a benchmark belong together, so that folds never separate them, and which texts occur twice.

Read in this order: `sentences` (text to sentences to words), `skeleton` (a text without its names and things),
`joins` (the exact evidence that items belong together), `vectors` (texts as points), `similarity` (their tree, cut at
several levels), `templates` (its branches that stand out), `components` (union-find with a limit), `grouping` (the
whole procedure on one screen), then `summary` and `duplicates` (what the report says about it).
"""
