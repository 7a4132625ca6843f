"""Phenotypes: what a participant's recorded choices in the cognitive tasks say of it, beside people and random choices.

Read in this order: `records` (what a run leaves, and the ways in which it comes), `metrics` (one file per task),
`fits` and `intervals` (how numbers and their intervals are made), `measuring` (from records to a phenotype), `result`
(what a phenotype is), `report` (table, figure, page), `comparison` (many participants). After CogBench (Coda-Forno et
al. 2024).
"""

from audit.phenotype.document import decode, encode, schema
from audit.phenotype.measuring import phenotype
from audit.phenotype.records.files import read_records
from audit.phenotype.records.table import Records, make_records
from audit.phenotype.report.figure import figure
from audit.phenotype.report.page import page
from audit.phenotype.report.terminal import show
from audit.phenotype.result import MetricValue, Phenotype

__all__ = [
    "MetricValue",
    "Phenotype",
    "Records",
    "decode",
    "encode",
    "figure",
    "make_records",
    "page",
    "phenotype",
    "read_records",
    "schema",
    "show",
]
