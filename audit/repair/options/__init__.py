"""Repair of benchmarks whose items have options of their own.

`subject` says what `audit.repair.search` may do to them, by the `rules`; `order` finds another order of options, and
`writing` and `reordering` put it into the source.
"""
