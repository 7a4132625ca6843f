"""Phenotypes: what a participant's recorded choices in the cognitive tasks say of it, beside people and random choices.

Read in this order: `records` (what a run leaves, and the ways in which it comes), `metrics` (one file per task),
`fits` and `intervals` (how numbers and their intervals are made), `measuring` (from records to a phenotype), `result`
(what a phenotype is), `report` (table, figure, page), `comparison` (many participants). After CogBench (Coda-Forno et
al. 2024).
"""

from audit.phenotype.comparison.components import Components, components
from audit.phenotype.comparison.mixed import Regression, regress
from audit.phenotype.comparison.models import ModelTable, read_models
from audit.phenotype.document import decode, encode, schema
from audit.phenotype.measuring import phenotype
from audit.phenotype.records.files import read_records
from audit.phenotype.records.table import Records, make_records
from audit.phenotype.report.comparisons import show_components, show_regression
from audit.phenotype.report.figure import figure
from audit.phenotype.report.page import page
from audit.phenotype.report.terminal import show
from audit.phenotype.result import MetricValue, Phenotype

__all__ = [
    "Components",
    "MetricValue",
    "ModelTable",
    "Phenotype",
    "Records",
    "Regression",
    "components",
    "decode",
    "encode",
    "figure",
    "make_records",
    "page",
    "phenotype",
    "read_models",
    "read_records",
    "regress",
    "schema",
    "show",
    "show_components",
    "show_regression",
]
