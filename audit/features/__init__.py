"""Texts become numbers: read `vectors` (what there is), then `table` (counted once), then what it is made of.

`folding` and `pieces` prepare the texts, `words` and `gpt2` cut them into tokens, `ngrams` counts, `weighting`
and `selection` turn counts into the columns of one training set, `readability`, `grades` and `length` are
dense, `spans` finds n-grams again in the original text.
"""
