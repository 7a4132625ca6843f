"""The probe: folds -> logistic regressions -> out-of-fold predictions -> kappa -> what doubts it -> evidence.

Read `folds`, `logistic` (with its `solvers`), `matching`, `choosing`, `crossfit` and `paper` (the two protocols), then
`numbers`, which brings them together with `audit.statistics`. `injection` adds cues to see which would be found, and
`evidence` shows the n-grams.
"""
