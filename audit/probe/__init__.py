"""The probe: folds -> logistic regressions -> out-of-fold predictions -> kappa -> significance -> evidence.

Read `folds.py`, `logistic.py` (with its solvers `l2.py` and `l1.py`), `crossfit.py` and `paper.py` (the two protocols),
then `kappa.py`, `resampling.py` and `power.py`, which `scheme.py` brings together, and finally `evidence.py`.
"""
