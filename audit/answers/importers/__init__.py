"""Answers out of other programs' files: one module per harness, and `tables` for plain tables (with `column_names`).

Each turns what it is given (events, samples, states, rows) into `Reply`. `registry.py` is the table of logs, by which
`audit.answers.reading` decides which file is which; `README.md` says how to add one. The audit reads the same logs as
benchmarks, and knows them by `audit.formats.harnesses`.
"""
