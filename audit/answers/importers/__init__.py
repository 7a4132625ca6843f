"""Answers out of other programs' files: one module per harness, and one for plain tables.

Each turns what it is given (events, samples, states, rows) into `Reply`. Which file is which is decided in
`audit.answers.reading`, by the same recognition that the audit uses for benchmarks (`audit.formats.harnesses`).
"""
