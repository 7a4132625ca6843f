"""The files of evaluation harnesses: benchmarks as they write them, and the logs of their runs.

Read in this order: `shapes` (which project wrote some JSON), then one module per project: `openai_evals`, `big_bench`,
`lm_eval_samples`, `inspect_ai`, `inspect_archive` (its zip files), `helm`, `legal_bench`. Some files only point to the
data (`openai_registry`, `lm_eval_task` with its templates in `templates`): `yaml_text` reads their YAML, and
`audit.formats.pointers` follows them. Prompts and gold answers are read, never what a model replied.
"""
