"""Benchmarks whose items have options of their own: can the right option be told by its surface?

Read `pool` (items as rows), `views` (what a probe sees of an option), `crossfit` and `choosing` (one option per item),
`numbers` (kappa, intervals, p), then `assessment`, which runs them in order.
"""
