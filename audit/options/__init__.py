"""Benchmarks whose items have options of their own: can the right option be told by its surface?

Read `items` (which become rows), `views` (what a probe sees of an option), `crossfit` and `choosing` (one option per
item), `numbers` (kappa, intervals, p), then `assessment` and `course`, which run them in order,
and `explaining` with its `shortcuts`.
"""
