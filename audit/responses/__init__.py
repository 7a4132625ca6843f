"""Model answers: read, scored, and compared across matched conditions.

Read `answers.py` (files of replies), `outcome.py` (one reply read and scored by the scorer of its family), `scoring.py`
(the report on one model), `effects.py` and `paired.py` (matched conditions), `forms/` (surface forms of one problem),
`blind.py` (what can be had without the ability), and `annotation/` (errors of reasoning, marked by people).
"""
