"""`hansproof compare`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

import click

from generators.errors import UsageError
from hansproof.terminal.lines import tell

__all__ = ["compare"]

_EPILOG = """\b
Examples:
  hansproof phenotype runs/*.jsonl --csv models.csv
  hansproof compare models.csv --metric directed-exploration --feature parameters --feature rlhf
  hansproof compare models.csv --feature parameters --json regressions.json
  hansproof compare models.csv --components

\b
MODELS is a CSV or TSV table with one row per model, ten or more models of five or more base models:
`model`, `base_model` (models of one base share its training, so they count as dependent), features of your own in
numbers or yes and no, and metrics under the names that `hansproof phenotype --csv` writes.
--feature: a mixed-effects regression of each metric on the features, with a random intercept per base model.
Effects are per standard deviation of a feature, or from no to yes. Holm p is corrected for all effects of all
metrics.
--components: principal components of the metrics; those count that explain more variance than in shuffled data
(parallel analysis). The regressions need statsmodels.
Exit codes: 0 compared, 2 could not be compared.
"""


@click.command(short_help="Compare phenotypes across models: regressions and principal components.", epilog=_EPILOG)
@click.argument("models", metavar="MODELS")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="A metric. Repeatable. Default: all of MODELS."
)
@click.option("--feature", "features", multiple=True, metavar="COLUMN", help="A feature of the models. Repeatable.")
@click.option("--components", "axes", is_flag=True, help="Find the principal components of the metrics.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the shuffles behind the components.")
@click.option("--json", "json_", metavar="FILE", help="Write every number as JSON; - for standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def compare(
    models: str,
    metrics: tuple[str, ...],
    features: tuple[str, ...],
    axes: bool,
    seed: int,
    json_: str | None,
    force: bool,
) -> None:
    """Compare the phenotypes in MODELS, a table with one row per model."""
    from audit.documents.strict_json import json_bytes
    from audit.phenotype.comparison.components import components
    from audit.phenotype.comparison.models import read_models
    from audit.phenotype.report.comparisons import show_components, show_regression
    from audit.report.terminal.ink import Ink, console_on
    from hansproof.participants.comparing import regress_all
    from hansproof.terminal.outputs import check_outputs, screen, write_outputs

    if axes == bool(features):
        raise UsageError("pass either --feature, for regressions, or --components")
    check_outputs((json_,), (models,), force=force)
    if models.endswith(".jsonl"):
        raise UsageError("is no table of models; for two or three files of runs: hansproof phenotype A B", models)
    table = read_models(models)
    named = metrics or tuple(table.metrics)
    if not named:
        raise UsageError("has no column that is called like a metric; name columns with --metric", models)
    regressions, skipped = regress_all(table, named, features) if features else ([], [])
    dimensions = components(table, named, seed=seed) if axes else None
    document = json_bytes({"regressions": regressions} if features else {"components": dimensions})
    ink = Ink(console_on(screen(json_)))
    for place, regression in enumerate(regressions):
        if place:
            ink.blank()
        show_regression(regression, ink)
    for note in skipped:
        tell(f"note: {note}")
    if dimensions is not None:
        show_components(dimensions, ink)
    write_outputs([(json_, lambda: document)], force=force)
