"""The solvers of the probe: logistic regressions with L2 and L1 penalties, compiled. Read `l2`, then `l1` with
`descent`."""
