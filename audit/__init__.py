"""MEASURE: the audit. Read `benchmark.py`, `loading/`, `features/`, `groups/`, `probe/`, `verdict.py`, `run.py`, `report/`."""
