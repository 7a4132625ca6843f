"""From texts to numbers: read `vectors` (the list), then `table` (texts counted once), then the parts of the table.

`folding` and `pieces` prepare the texts, `words` and `gpt2` cut them into tokens, `ngrams` counts the tokens, and
`weighting` with `selection` turns counts into the columns of one training set. `readability` (from `prose`,
`alphabetic` and `sentences`), `length` and `grades` are dense. `spans` finds n-grams in the original text.
"""
