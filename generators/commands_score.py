"""`hansproof score` and `hansproof annotate`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generators.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from generators.answers import Answers
    from generators.item import Item
    from generators.rates import Rate
    from generators.scoring import Line, Report

__all__ = ["annotate", "score"]

_SCORE_EPILOG = """\b
Examples:
  hansproof score answers.jsonl --items datasets/planted-cues/1.0.0
  hansproof score answers.jsonl --items private.jsonl --json | jq .models[0].lines[0].right
  hansproof score answers.jsonl --items items.jsonl --out scores.json

\b
A line of ANSWERS: {"id": "planted-cues/1.0.0/none/000000", "reply": "I think so. Yes", "model": "mine"}
The reply may also be called response, output or completion; model may be left out. One table a model.

\b
Items without an answer count as wrong and are counted apart; so are replies without a clear answer.
Intervals are Wilson's, 95 %. random: a uniform guess; majority: always the most frequent gold of the
line (of several subsets: of each, then the mean by items).
pairs: groups of two items of different conditions with both right.
Exit codes: 0 scored, 2 could not be scored.
"""

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


@click.command(epilog=_SCORE_EPILOG)
@click.argument("answers")
@click.option("--items", "source", required=True, metavar="PATH", help="A release folder, or one file of items.")
@click.option("--json", "as_json", is_flag=True, help="Every number as JSON instead of tables.")
@click.option("-o", "--out", metavar="FILE", help="Also write the JSON there, with the score of each item.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def score(answers: str, source: str, as_json: bool, out: str | None, force: bool) -> None:
    """Score model answers (one JSON object a line) against their items, joined by id."""
    from generators.answers import read_answers, read_items
    from generators.jsonl import write_bytes
    from generators.progress import counted
    from generators.scoring import score_replies

    if out and Path(out).exists() and not force:
        raise UsageError(f"{out}: exists; pass --force to overwrite it, or name another file")
    given, items = read_answers(answers), read_items(source)
    ids = {item.id for item in items}
    for one in given:
        one.refuse_unknown(ids, source)
    reports = [score_replies(items, one.replies, one.model, counted) for one in given]
    head = {"answers": answers, "items": source, "level": 0.95}
    if out:
        whole = head | {"models": [one.record(scores=True) for one in reports]}
        data = json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        write_bytes(out, data.encode("utf-8", "replace"), overwrite=force)
    if as_json:
        shown = head | {"models": [one.record() for one in reports]}
        click.echo(json.dumps(shown, indent=2, allow_nan=False))
    else:
        _print(reports)
    for report in reports:
        _tell(report)


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
    from generators.answers import read_answers, read_items
    from generators.knights_knaves.annotation import form as rows_of
    from generators.knights_knaves.annotation import write_form

    if Path(out).suffix.lower() not in (".csv", ".jsonl"):
        raise UsageError(f"{out}: an annotation form ends in .csv or .jsonl")
    if Path(out).exists() and not force:
        raise UsageError(f"{out}: exists; pass --force to overwrite it, or name another file")
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

    left, right = read_form(first), read_form(second)
    found = agree(left, right)
    alone = len(left) + len(right) - 2 * found[0].traces
    if as_json:
        rows = [asdict(one) | {"kappa": None if isnan(one.kappa) else one.kappa} for one in found]
        click.echo(json.dumps({"first": first, "second": second, "categories": rows}, indent=2))
    else:
        table = _table("category", ("kappa", "traces", "both", "first only", "second only"))
        for one in found:
            kappa = f"undefined: {one.reason}" if isnan(one.kappa) else f"{one.kappa:.2f}"
            counts = (one.traces, one.both, one.first_only, one.second_only)
            table.add_row(one.category, kappa, *map(str, counts))
        _show(table)
    if alone:
        click.echo(f"note: {alone:,} traces are annotated in one form only and left out", err=True)


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


def _tell(report: Report) -> None:
    """A line about answers that are not there: whoever scores a part of a release should name that part."""
    every = report.lines[0]
    if every.missing:
        whose = f"{report.model}: " if report.model else ""
        many = f"{every.missing:,} of {every.items:,} items have"
        click.echo(f"note: {whose}{many} no answer and count as wrong", err=True)


def _print(reports: list[Report]) -> None:
    for report in reports:
        lines = list(report.lines)
        # A dataset with one subset, or one subset for each slice, would say everything twice.
        if sum(one.by == "subset" for one in lines) == 1:
            lines = [one for one in lines if one.by not in ("subset", "set, n")]
        columns = {
            "items": [f"{one.items:,}" for one in lines],
            "right": [_rate(one.right) for one in lines],
            "characters": [_rate(one.characters) for one in lines],
            "pairs right": [_pairs(one) for one in lines],
            "unparsed": [f"{one.unparsed:,}" for one in lines],
            "missing": [f"{one.missing:,}" for one in lines],
            "random": [_share(one.random) for one in lines],
            "majority": [_share(one.majority) for one in lines],
            "majority char.": [_share(one.majority_character) for one in lines],
        }
        kept = {name: cells for name, cells in columns.items() if any(cells)}
        table = _table("% [95 % interval]", tuple(kept))
        title = f"{report.dataset}@{report.version}" + (f", model {report.model}" if report.model else "")
        table.title = _text(title)
        for place, one in enumerate(lines):
            if place and lines[place - 1].by != one.by:
                table.add_section()
            name = "all" if one.by == "all" else f"{one.by} {one.name}"
            table.add_row(_text(name), *(cells[place] for cells in kept.values()))
        _show(table)


def _table(first: str, columns: tuple[str, ...]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left")
    table.add_column(_text(first), no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _text(words: str) -> Text:
    from rich.text import Text

    return Text(words)


def _show(table: Table) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    # Piped into a file, a table is as wide as it must be: cut numbers are worse than long lines.
    if not console.is_terminal:
        console.width = max(console.width, 160)
    console.print(table)


def _rate(rate: Rate | None) -> str:
    return f"{100 * rate.share:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]" if rate else ""


def _pairs(line: Line) -> str:
    return f"{_rate(line.pairs)} of {line.pairs.total:,}" if line.pairs else ""


def _share(value: float) -> str:
    return "" if isnan(value) else f"{100 * value:.1f}"
