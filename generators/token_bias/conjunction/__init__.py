"""Conjunctions: "A" against "A and B", and their twins "A" against "A or B".

Read `judgement` (the items), `rotation` (whose completion an item borrows), the themes `persona`, `story`, `disease`,
`celebrity` and `disaster`, `subsets` (the table), `checking` (a second way to every gold answer).
"""
