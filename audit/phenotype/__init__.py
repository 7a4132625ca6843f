"""Phenotypes: what a participant's recorded choices in the cognitive tasks say of it, beside people and random choices.

Read in this order: `records` (what a run leaves, and the ways in which it comes), `metrics` (one file per task),
`fits` and `intervals` (how numbers and their intervals are made), `measuring` (from records to a phenotype), `result`
(what a phenotype is), `report` (table, figure, page), `comparison` (many participants). After CogBench (Coda-Forno et
al. 2024).
"""
