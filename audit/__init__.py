"""MEASURE: the audit, from a benchmark to a verdict.

Start with `run.py`, which shows the whole pipeline. Then follow the data: `loading.py` (with `sources/`, `formats/` and
`columns/`) reads a `Benchmark`. Its answers have one of three shapes: `labels/`, `options/` per item, or `openended/`.
The first two are measured by `groups/`, `features/` and `probe/` in the order of `assessing/`; `verdict/` judges;
`assembly.py` puts together the `result.py` that `report/` shows. `responses/` scores model answers,
`answers/` reads them from any log into a grid, `paired/` compares two columns of it, `reliance/` compares the
accuracy of models where the probe is right and where it is wrong, and `study/` puts all of it on one page.
"""
