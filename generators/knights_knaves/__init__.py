"""Knights and knaves, after TruthQuest. Read `statements.py`, `permutation.py`, `sequence.py`, `designs.py`,
`prompts.py`, `puzzle.py`, `dataset.py`; then the serving side: `formula.py`, `reply.py`.
"""
