"""`hansproof annotate`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any

import click

from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import STDOUT, check_output, json_option, write_json, write_output
from hansproof.terminal.streams import tell

if TYPE_CHECKING:
    from hansproof.audit.replies.annotation import Compared, Comparison
    from hansproof.generators.dataset import ErrorScheme
    from hansproof.generators.item import Item

__all__ = ["annotate"]

_FORM_EPILOG = """\b
Examples:
  hansproof annotate form replies.jsonl --items datasets/knights-knaves/2.1.0 --out form.csv
  hansproof annotate form replies.jsonl --items items.jsonl --out form.jsonl --prefill --model mine

Each kind of error has a column for yes or no, and a column beside it for your reason. Leave a row blank if
you have not read that reply yet.
"""

_ANNOTATE_EPILOG = """\b
Examples:
  hansproof annotate form replies.jsonl --items datasets/knights-knaves/2.1.0 --out form.csv
  hansproof annotate agreement first.csv second.csv
"""

_AGREEMENT_EPILOG = """\b
Example:
  hansproof annotate agreement first.csv second.csv --json

Only replies that both annotators have marked are compared. Kappa is 1 for full agreement and 0 for
agreement by chance. Overall, every mark of every kind counts as one judgement; the last line correlates
how many kinds of error each annotator sees in a reply.
"""


@click.group(epilog=_ANNOTATE_EPILOG)
def annotate() -> None:
    """Mark reasoning errors in model replies, and compare two annotators."""


@annotate.command(epilog=_FORM_EPILOG)
@click.argument("answers", metavar="REPLIES")
@click.option("--items", "source", required=True, metavar="PATH", help="A release folder, or one file of items.")
@click.option(
    "-o",
    "--out",
    required=True,
    metavar="FILE",
    help="Where to write the form: .csv, .jsonl, or - for standard output.",
)
@click.option("--prefill", is_flag=True, help="Mark the errors that can be proved automatically.")
@click.option("--model", help="The model to annotate, if REPLIES has several.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def form(answers: str, source: str, out: str, prefill: bool, model: str | None, force: bool) -> None:
    """Write an empty annotation form with one row per reply."""
    from hansproof.audit.replies.annotation import ending, form_bytes
    from hansproof.audit.replies.annotation import form as rows_of
    from hansproof.audit.replies.by_model import of_model, read_answers
    from hansproof.release.frozen import read_items

    kind = "csv" if out == STDOUT else ending(out)  # before the work, so that nothing is lost
    check_output(out, force=force, inputs=(answers, source))
    given, items = of_model(read_answers(answers), model), read_items(source)
    scheme = _scheme(items, source)
    given.refuse_others(items, source)
    replies = {id: reply for id, reply in given.replies.items() if reply is not None}
    rows = rows_of(items, replies, scheme, prefill)
    write_output(out, form_bytes(rows, kind, out), force=force)
    tell(f"{out}: {len(rows):,} replies to annotate")
    for category, meaning in scheme.categories.items():
        tell(f"  {category}: {meaning}")


@annotate.command(short_help="Measure how well two annotators agree.", epilog=_AGREEMENT_EPILOG)
@click.argument("first")
@click.argument("second")
@json_option
def agreement(first: str, second: str, json_: str | None, force: bool) -> None:
    """Measure how well two annotators agree: Cohen's kappa and Pearson's r, for each kind of error and overall."""
    from hansproof.audit.replies.annotation import agreement as agreement_of
    from hansproof.audit.replies.annotation import read_form

    if json_ is not None:
        check_output(json_, force=force, inputs=(first, second))
    left, right = read_form(first), read_form(second)
    compared = agreement_of(left, right)
    alone = len(left.annotations.keys() ^ right.annotations.keys())
    if json_ is not None:
        rows = [{"category": category} | _record(marks) for category, marks in compared.categories.items()]
        per_reply = dict(zip(("pearson", "pearson_reason"), compared.errors, strict=True))
        overall = {"overall": _record(compared.overall), "errors_per_reply": per_reply}
        write_json(json_, {"first": first, "second": second, "categories": rows} | overall, force=force)
    else:
        _print(compared)
    if alone:
        tell(f"note: left out {alone:,} replies that are annotated in only one form")


def _record(marks: Compared) -> dict[str, Any]:
    return asdict(marks.agreement) | {"pearson": marks.pearson, "pearson_reason": marks.reason}


def _print(compared: Comparison) -> None:
    from hansproof.audit.report.document import Column, ReportTable
    from hansproof.audit.report.terminal import Ink, console_on

    titles = ("kappa", "r", "marks", "both", "first only", "second only")
    table = ReportTable("", [Column("category", holds="phrases"), *map(Column, titles)])
    reasons = []
    for category, marks in [*compared.categories.items(), ("overall", compared.overall)]:
        agreed = marks.agreement
        shown = (agreed.replies, agreed.both, agreed.first_only, agreed.second_only)
        table.row(category, _number(agreed.kappa), _number(marks.pearson), *map(str, shown))
        which = "kappa and r are" if agreed.reason else "r is"
        reasons.append((category, which, agreed.reason or marks.reason))
    table.row("errors a reply", "", _number(compared.errors[0]), "", "", "", "")
    ink = Ink(console_on())
    ink.table(table)
    for category, which, reason in [*reasons, ("errors a reply", "r is", compared.errors[1])]:
        if reason:
            ink.line(f"{category}: {which} undefined: {reason}")


def _number(value: float) -> str:
    return "undefined" if isnan(value) else f"{value:.2f}"


def _scheme(items: list[Item], source: str) -> ErrorScheme:
    """The kinds of error of the items' family. Raises UsageError, naming the families that have some, for others."""
    from hansproof.generators.registry import dataset, find, names

    name = items[0].metadata["dataset"]
    family = find(name)
    scheme = family.errors if family else None
    if scheme is None:
        known = ", ".join(known for known in names() if dataset(known).errors is not None)
        raise UsageError(
            f"has items of {name}, which defines no kinds of error to annotate; datasets that do: {known or 'none'}",
            source,
        )
    return scheme
