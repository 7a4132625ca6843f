"""Probes: folds, solvers, cross-fitting, the numbers that follow, and cues put in to be found."""
