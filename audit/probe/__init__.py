"""The probe: folds -> logistic regressions -> out-of-fold predictions -> kappa -> what doubts it -> evidence.

Read `folds.py`, `logistic.py` (with its solvers `l2.py` and `l1.py`), `matching.py`, `crossfit.py` and `paper.py` (the
two protocols), then `scheme.py`, which brings them together with `audit.statistics`. `stretch.py` refits on halves and
on relabelled answers, `clusters.py` leaves out similar texts, `injection` adds cues to see which would be found, and
`evidence.py` shows the n-grams.
"""
