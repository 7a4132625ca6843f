"""`hansproof phenotype`: phenotypes as tables, figure and page, and what a table of models says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hansproof.commands.options import examples, named_files
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import Made, Outputs, json_option
from hansproof.terminal.streams import tell

if TYPE_CHECKING:
    from hansproof.audit.phenotype.measuring import MetricDifference
    from hansproof.audit.phenotype.result import Phenotype
    from hansproof.audit.report.terminal import Ink
    from hansproof.runs.participants import Measuring

__all__ = ["measured", "phenotype"]


def measured(
    how: Measuring,
    runs: Sequence[str],
    *,
    records: Sequence[str] = (),
    items: str | None = None,
    wanted: Sequence[str] = (),
) -> Made:
    """The phenotypes of all participants in `runs` and `records`; `wanted` are the outputs that are to be written."""
    from hansproof.audit.notation import csv_text
    from hansproof.audit.phenotype.measuring import MOST, differences
    from hansproof.audit.report.phenotype_figure import figure
    from hansproof.audit.report.phenotype_screen import phenotype_page
    from hansproof.audit.result.record import json_bytes
    from hansproof.release.frozen import read_items
    from hansproof.runs.participants import samples
    from hansproof.terminal.streams import on_stderr

    with on_stderr() as progress:
        played = None if items is None else read_items(items)
        taken = samples(how, runs, records, played, progress)
        phenotypes = [how.of(each, progress) for each in taken]
        pairs = differences(taken, seed=how.seed, progress=progress) if len(taken) <= MOST else []
    drawings: dict[str, Callable[[], bytes]] = {
        "figure": lambda: figure(phenotypes).encode(),
        "html": lambda: phenotype_page(phenotypes, pairs).encode(),
        # A row per model: its name, a base model to be filled in, and its metrics; blank where one is undefined.
        "csv": lambda: csv_text([*phenotypes[0].rows(), *(each.rows()[1] for each in phenotypes[1:])]).encode(),
        "json": lambda: json_bytes(
            phenotypes[0] if len(phenotypes) == 1 else {"phenotypes": phenotypes, "differences": pairs}
        ),
    }
    # Everything is drawn before the screen is told: six phenotypes fit into a figure, and no more.
    drawn = {name: draw() for name, draw in drawings.items() if name in wanted}
    return Made(partial(_show, phenotypes, pairs), {name: partial(bytes, made) for name, made in drawn.items()})


def _show(phenotypes: Sequence[Phenotype], pairs: Sequence[MetricDifference], ink: Ink) -> None:
    from hansproof.audit.report.phenotype_screen import show, show_differences

    for place, each in enumerate(phenotypes):
        if place:
            ink.blank()
        show(each, ink)
    show_differences(pairs, ink)


def relate(models: str, given: Mapping[str, Any], *, force: bool) -> None:
    """Print regressions of the metrics in the table `models` on its features, or their principal components.

    Raises UsageError for both or neither of the two, and for files that are no tables; InputError as reading does.
    """
    from hansproof.audit.phenotype.model_table import components, read_models
    from hansproof.audit.report.phenotype_screen import show_components, show_regression
    from hansproof.audit.report.terminal import Ink, console_on
    from hansproof.audit.result.record import json_bytes
    from hansproof.runs.participants import regress_all
    from hansproof.terminal.outputs import check_outputs, screen, write_outputs

    features, axes, json_ = given["features"], given["axes"], given["json_"]
    if axes == bool(features):
        raise UsageError("pass either --feature, for regressions, or --components, with --models")
    check_outputs((json_,), (models,), force=force)
    if models.endswith(".jsonl"):
        raise UsageError("is no table of models; for two or three files of runs: hansproof phenotype A B", models)
    table = read_models(models)
    named = given["metrics"] or tuple(table.metrics)
    if not named:
        raise UsageError("has no column that is called like a metric; name columns with --metric", models)
    regressions, skipped = regress_all(table, named, features) if features else ([], [])
    dimensions = components(table, named, seed=given["seed"]) if axes else None
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


_EPILOG = examples("phenotype")


@click.command(epilog=_EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUNS]...")
@click.option("--records", multiple=True, metavar="PATH", help="Recorded choices: a table or a folder. Repeatable.")
@click.option("--items", metavar="PATH", help="The items played, if RUNS do not say which: a release folder or a file.")
@click.option("-s", "--subset", "subsets", multiple=True, metavar="SUBSET",
              help="Measure this subset instead of the standard story of its task. Repeatable.")  # fmt: skip
@click.option("--model", "chosen", multiple=True, metavar="NAME", help="Only this model. Repeatable.")
@click.option("--style", "styles", multiple=True, metavar="NAME",
              help="Only runs in this prompt style, each by itself. Repeatable. Default: all together.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--resamples", type=click.IntRange(min=100, max=1_000_000), help="Bootstrap samples.  [default: 2000]")
@click.option("--as-published", is_flag=True,
              help="As CogBench: no priors; constant confidence unscaled; runs weighed alike; no mending.")  # fmt: skip
@click.option("--html", metavar="FILE", help="Write one page with the figure and every table.")
@click.option("--svg", metavar="FILE", help="Write the figure alone.")
@click.option("--csv", "csv_", metavar="FILE", help="Write a table with a row per model, for --models.")
@click.option("--models", metavar="FILE", help="Instead of RUNS: a table of models, whose metrics are related.")
@click.option(
    "--feature", "features", multiple=True, metavar="COLUMN", help="With --models: a feature of the models. Repeatable."
)
@click.option("--components", "axes", is_flag=True, help="With --models: principal components of the metrics.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME",
              help="With --models: a metric. Repeatable. Default: all of the table.")  # fmt: skip
@json_option
def phenotype(runs: tuple[str, ...], models: str | None, force: bool, **given: Any) -> None:
    """Measure how a model decides in the cognitive tasks: performance, exploration, learning, planning, risk.

    Each of the sixteen metrics of CogBench (Coda-Forno et al. 2024) has an interval, and stands between random choices
    and the average person.
    """
    if models is not None:
        measuring = (
            "records",
            "items",
            "subsets",
            "chosen",
            "styles",
            "resamples",
            "as_published",
            "html",
            "svg",
            "csv_",
        )
        if runs or any(given[name] for name in measuring):
            raise UsageError("takes no RUNS and only --feature, --components, --metric, --seed and --json", "--models")
        relate(models, given, force=force)
        return
    if any(given[name] for name in ("features", "axes", "metrics")):
        raise UsageError("--feature, --components and --metric belong to --models")
    from hansproof.runs.participants import Measuring

    files = {"html": "html", "figure": "svg", "csv": "csv_", "json": "json_"}
    outputs = Outputs(force=force, **{name: given[option] for name, option in files.items()})
    records, items = given["records"], given["items"]
    outputs.check((*named_files(runs), *records, *([items] if items else [])))
    how = Measuring(*(given[name] for name in ("subsets", "chosen", "styles", "seed", "resamples", "as_published")))
    outputs.give(measured(how, runs, records=records, items=items, wanted=outputs.wanted))
