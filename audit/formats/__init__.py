"""How a benchmark is written, and its rows as one `Table`. Which column is what: `audit.columns`.

Read in this order: `table` (what every format becomes), `recognition` (which format some bytes have), `delimited`
(CSV and TSV), `json_rows` (JSON and JSON Lines), `parquet`, `frames` (what
a Python caller holds) and `hugging_face` (its Datasets). What evaluation harnesses write is in `harnesses`; `pointers`
follows files that only say where the data are.
"""
