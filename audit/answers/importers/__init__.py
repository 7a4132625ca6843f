"""Answers out of other programs' files: one module per harness, and `tables` for plain tables (with `column_names`).

Each turns what it is given (events, samples, states, rows) into `Reply`. Which file is which is decided in
`audit.answers.reading`, by the same recognition that the audit uses for benchmarks (`audit.formats.harnesses`).

One format more takes a function here that yields `Reply`; a rule in `audit.formats.harnesses.shapes` that knows it by
its first line or its keys; its branch, and its name for messages, in `audit.answers.reading`; and its line in the
README. `Reply.benchmark` sets items of several tasks in one log apart (their ids are read as TASK/ID), `log` and `run`
set runs of the same model apart. `audit.formats.harnesses` and `audit.answers` are as full as folders get: what is
recognised by more than its keys goes into a folder of its own there.
"""
