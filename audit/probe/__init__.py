"""The probe: folds -> logistic regressions -> out-of-fold predictions -> kappa -> significance -> evidence.

Read `folds.py`, `logistic.py` (with `l2.py` and `l1.py`, its two solvers), `crossfit.py` and `paper.py` (the two
protocols), then `kappa.py`, `resampling.py`, `power.py` and `evidence.py`.
"""
