"""Phenotypes as a command shows and writes them: a table each, how they differ, one figure, one page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from hansproof.terminal.reports import Made

if TYPE_CHECKING:
    from audit.phenotype.comparison.pairs import MetricDifference
    from audit.phenotype.result import Phenotype
    from audit.report.terminal.ink import Ink
    from hansproof.participants.measuring import Measuring

__all__ = ["measured"]


def measured(
    how: Measuring,
    runs: Sequence[str],
    *,
    records: Sequence[str] = (),
    items: str | None = None,
    wanted: Sequence[str] = (),
) -> Made:
    """The phenotypes of all participants in `runs` and `records`; `wanted` are the outputs that are to be written."""
    from audit.phenotype.comparison.pairs import MOST, differences
    from audit.phenotype.report.figure import figure
    from audit.phenotype.report.page import page
    from hansproof.participants.measuring import samples
    from hansproof.release.frozen import read_items
    from hansproof.terminal.progress import on_stderr

    with on_stderr() as progress:
        played = None if items is None else read_items(items)
        taken = samples(how, runs, records, played, progress)
        phenotypes = [how.of(each, progress) for each in taken]
        pairs = differences(taken, seed=how.seed, progress=progress) if len(taken) <= MOST else []
    drawings: dict[str, Callable[[], str]] = {
        "figure": lambda: figure(phenotypes),
        "html": lambda: page(phenotypes, pairs),
        "csv": lambda: _table(phenotypes),
        "json": lambda: _document(phenotypes, pairs),
    }
    # Everything is drawn before the screen is told: six phenotypes fit into a figure, and no more.
    drawn = {name: draw().encode() for name, draw in drawings.items() if name in wanted}
    return Made(partial(_show, phenotypes, pairs), {name: partial(bytes, text) for name, text in drawn.items()})


def _document(phenotypes: Sequence[Phenotype], pairs: Sequence[MetricDifference]) -> str:
    from audit.phenotype.document import encode, encode_several

    return (encode(phenotypes[0]) if len(phenotypes) == 1 else encode_several(phenotypes, pairs)).decode()


def _table(phenotypes: Sequence[Phenotype]) -> str:
    """A row per model: its name, a base model to be filled in, and its metrics; blank where one is undefined."""
    from audit.documents.csv_cells import csv_text

    header = ["model", "base_model", *(metric.name for metric in phenotypes[0].profile)]
    return csv_text(
        [header, *([each.name, each.name, *(metric.value for metric in each.profile)] for each in phenotypes)]
    )


def _show(phenotypes: Sequence[Phenotype], pairs: Sequence[MetricDifference], ink: Ink) -> None:
    from audit.phenotype.report.pairs import show_differences
    from audit.phenotype.report.terminal import show

    for place, each in enumerate(phenotypes):
        if place:
            ink.blank()
        show(each, ink)
    show_differences(pairs, ink)
