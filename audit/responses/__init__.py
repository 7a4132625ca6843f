"""Model answers: reported on, and compared across matched conditions.

Files are read, and each reply is scored, in `audit.answers`, which knows nothing of this package; `answers.py` here
reads the project's own format for `annotate` and `prompts`. Read `lines.py` and `slices.py` (the parts of which a score
is given), `scoring.py` (the report on one model), `contrasts.py` (which conditions are compared), `effects.py` and
`paired.py` (by how much they differ), `hypotheses/` (those that a family declares), `forms/` (surface forms of one
problem), `blind.py` and `folds.py` (what can be had without the ability), `readings.py` (other ways to read a reply),
and `annotation/` (errors of reasoning, marked by people).
"""
