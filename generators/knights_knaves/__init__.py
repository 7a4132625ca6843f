"""Knights and knaves, after TruthQuest (Mondorf & Plank 2024): who tells the truth, and who lies?

Read `dataset.py` and `subsets.py` first. `puzzles/` makes the items, `replies/` reads and explains answers to
them, `scorer` scores them. What gives a second opinion: `formula`, `satisfiability`, `prompt_reading`, `checking`.
"""
