"""MEASURE: the audit, from a benchmark to a verdict.

Read `benchmark.py`, `loading/`, `groups/`, `features/`, `probe/`, `verdict.py`, `run.py`, `report/`, in the order of
the data; `result.py` is what comes out, `commands.py` the command line over all of it. `responses/` is the other
end: model answers, and the effects of matched pairs in them.
"""
