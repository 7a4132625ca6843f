"""MEASURE: the audit, from a benchmark to a verdict.

Start with `run.py`, which shows the whole pipeline. Then follow the data: `loading.py` (with `sources/`, `formats/` and
`columns/`) reads a `Benchmark`; `groups/`, `features/` and `probe/` measure it, as `assessment.py` says; `verdict.py`
judges; `assembly.py` puts together the `result.py` that `report/` shows. `responses/` scores model answers.
"""
