"""`hansproof phenotype --models`: what a table of models says of their metrics, computed and printed."""

from __future__ import annotations

from collections.abc import Sequence

from generators.errors import UsageError
from hansproof.terminal.lines import tell

__all__ = ["relate"]


def relate(
    models: str,
    *,
    metrics: Sequence[str],
    features: Sequence[str],
    axes: bool,
    seed: int,
    json_: str | None,
    force: bool,
) -> None:
    """Print regressions of the `metrics` in the table `models` on its `features`, or their principal components.

    Raises UsageError for both or neither of the two, and for files that are no tables; InputError as reading does.
    """
    from audit.documents.strict_json import json_bytes
    from audit.phenotype.comparison.components import components
    from audit.phenotype.comparison.models import read_models
    from audit.phenotype.report.comparisons import show_components, show_regression
    from audit.report.terminal.ink import Ink, console_on
    from hansproof.participants.relating import regress_all
    from hansproof.terminal.outputs import check_outputs, screen, write_outputs

    if axes == bool(features):
        raise UsageError("pass either --feature, for regressions, or --components, with --models")
    check_outputs((json_,), (models,), force=force)
    if models.endswith(".jsonl"):
        raise UsageError("is no table of models; for two or three files of runs: hansproof phenotype A B", models)
    table = read_models(models)
    named = tuple(metrics) or tuple(table.metrics)
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
