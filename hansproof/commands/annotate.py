"""`hansproof annotate`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generators.errors import UsageError

if TYPE_CHECKING:
    from audit.responses.answers import Answers
    from generators.item import Item
    from generators.knights_knaves.annotation import Agreement

__all__ = ["annotate"]

_FORM_EPILOG = """\b
Examples:
  hansproof annotate form answers.jsonl --items datasets/knights-knaves/1.0.0 --out form.csv
  hansproof annotate form answers.jsonl --items items.jsonl --out form.jsonl --prefill --model mine

Fill in yes or no in each of the six columns SR, TS, TL, LO, UC, UF, and why beside it.
"""

_ANNOTATE_EPILOG = """\b
Examples:
  hansproof annotate form answers.jsonl --items datasets/knights-knaves/1.0.0 --out form.csv
  hansproof annotate agreement first.csv second.csv
"""

_AGREEMENT_EPILOG = """\b
Example:
  hansproof annotate agreement first.csv second.csv --json
"""


@click.group(epilog=_ANNOTATE_EPILOG)
def annotate() -> None:
    """Errors in the reasoning of knights-knaves replies, marked by people: forms and agreement."""


@annotate.command(epilog=_FORM_EPILOG)
@click.argument("answers")
@click.option("--items", "source", required=True, metavar="PATH", help="A release folder, or one file of items.")
@click.option("-o", "--out", required=True, metavar="FILE", help="The form; CSV or JSON lines by its ending.")
@click.option("--prefill", is_flag=True, help="Fill in the errors that a machine can prove.")
@click.option("--model", help="Whose answers, where the file has those of several.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def form(answers: str, source: str, out: str, prefill: bool, model: str | None, force: bool) -> None:
    """Write an empty annotation form: one row a reply, six kinds of error, a reason beside each."""
    from audit.responses.answers import read_answers
    from generators.knights_knaves.annotation import form as rows_of
    from generators.knights_knaves.annotation import write_form
    from hansproof.release.frozen import read_items
    from hansproof.terminal.outputs import check_output

    if Path(out).suffix.lower() not in (".csv", ".jsonl"):
        raise UsageError(f"{out}: an annotation form ends in .csv or .jsonl")
    check_output(out, force=force)
    given, items = _of_model(read_answers(answers), model), read_items(source)
    _refuse_other_families(items, source)
    given.refuse_unknown({item.id for item in items}, source)
    replies = {id: reply for id, reply in given.replies.items() if reply is not None}
    rows = rows_of(items, replies, prefill)
    write_form(out, rows, overwrite=force)
    click.echo(f"{out}: {len(rows):,} replies to annotate", err=True)


@annotate.command(epilog=_AGREEMENT_EPILOG)
@click.argument("first")
@click.argument("second")
@click.option("--json", "as_json", is_flag=True, help="Every number as JSON.")
def agreement(first: str, second: str, as_json: bool) -> None:
    """Cohen's kappa between two annotators' forms, for each kind of error."""
    from generators.knights_knaves.annotation import agreement as agree
    from generators.knights_knaves.annotation import read_form
    from hansproof.terminal.json_output import print_json

    left, right = read_form(first), read_form(second)
    found = agree(left, right)
    alone = len(left) + len(right) - 2 * found[0].traces
    if as_json:
        print_json({"first": first, "second": second, "categories": found})
    else:
        _print(found)
    if alone:
        click.echo(f"note: {alone:,} traces are annotated in one form only and left out", err=True)


def _print(agreements: Sequence[Agreement]) -> None:
    from audit.report.terminal.ink import Ink, console_on
    from audit.report.terminal.table import Column, Table

    counts = [Column(title) for title in ("traces", "both", "first only", "second only")]
    table = Table(Column("category", "phrases"), Column("kappa"), *counts)
    for category in agreements:
        kappa = f"undefined: {category.reason}" if isnan(category.kappa) else f"{category.kappa:.2f}"
        numbers = (category.traces, category.both, category.first_only, category.second_only)
        table.row(category.category, kappa, *map(str, numbers))
    Ink(console_on()).table(table)


def _of_model(given: list[Answers], model: str | None) -> Answers:
    names = ", ".join(repr(one.model) for one in given)
    if model is None and len(given) > 1:
        raise UsageError(f"{given[0].path}: has answers of {len(given)} models; pass --model with one of: {names}")
    for one in given:
        if model is None or one.model == model:
            return one
    raise UsageError(f"{given[0].path}: has no answers of model {model!r}; it has: {names}")


def _refuse_other_families(items: list[Item], source: str) -> None:
    family = items[0].metadata["dataset"]
    lacking = [key for key in ("names", "terms", "statements", "solutions") if key not in items[0].metadata]
    if family != "knights-knaves" or lacking:
        raise UsageError(f"{source}: the form is for the reasoning of knights-knaves; these are items of {family}")
