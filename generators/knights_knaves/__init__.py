"""Knights and knaves, after TruthQuest (Mondorf & Plank 2024): who tells the truth, and who lies?

Read `dataset.py` and `subsets.py` first. `puzzles/` makes the items, `replies/` reads, scores and explains answers to
them. Between the two lies what gives a second opinion: `formula`, `satisfiability`, `prompt_reading`, `checking`.
"""
