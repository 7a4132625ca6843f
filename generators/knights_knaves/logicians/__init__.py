"""Logicians and politicians in their real sense: who infers, and who never gives a straight answer.

Read `proofs` (what counts as proved), `scenes` (how a puzzle is drawn), `wording`, `logicians` (the subset), then
`reading` and `checking` (the second solution, from the prompt alone).
"""
