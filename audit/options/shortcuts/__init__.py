"""The ladder of shortcuts where every item has options of its own, and the single n-grams of the options.

Read `rungs` (what stands on the ladder), `picking` (rules and feature vectors, of which training chooses), `ngram` (the
single n-gram in an option), then `climbing`, which measures them all.
"""
