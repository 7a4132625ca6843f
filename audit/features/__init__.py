"""From texts to numbers: read `vectors` (what there is), `table` (counted once), then what it is made of.

`folding` and `pieces` prepare the texts, `words` and `gpt2` cut them into tokens, `ngrams` counts, and
`weighting` with `selection` turns counts into the columns of one training set. `readability` (from `prose`,
`alphabetic` and `sentences`), `grades` and `length` are dense. `spans` finds n-grams in the original text.
"""
