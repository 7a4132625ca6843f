"""From texts to numbers: read `vectors` (the list), then `table` (texts counted once), then the parts of the table.

`tokens` cuts the texts, `ngrams` counts the tokens, and `weighting` with `selection` turns counts into the columns of
one training set. `readability` (with length and grades) and `formatting` are dense.
`spans` finds n-grams in the original text.
"""
