"""`hansproof score`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink
    from audit.report.terminal.table import Table
    from audit.responses.effects import Effect
    from audit.responses.rates import Rate
    from audit.responses.scoring import Report

__all__ = ["score"]

_SCORE_EPILOG = """\b
Examples:
  hansproof score answers.jsonl --items datasets/planted-cues/1.0.0
  hansproof score answers.jsonl --items private.jsonl --json | jq .models[0].lines[0].right
  hansproof score answers.jsonl --items items.jsonl --out scores.json
  hansproof score answers.jsonl --items datasets/word-problems/1.0.0 --json | jq .models[0].effects

\b
A line of ANSWERS: {"id": "planted-cues/1.0.0/none/000000", "reply": "I think so. Yes", "model": "mine"}
The reply may also be called response, output or completion; model may be left out. One table a model.

\b
Items without an answer count as wrong and are counted apart; so are replies without a clear answer.
Intervals are Wilson's, 95 %. random: a uniform guess; majority: always the most frequent gold of the
line (of several subsets: of each, then the mean by items).
pairs: groups of two items of different conditions with both right.

\b
Replies with a number are read twice. Robust, what the tables count: the number that is given as the
answer, in digits, words or as a fraction, whatever is reckoned before it. Published: the first number
of the reply (Opedal et al. 2024), for replies that are asked for the number alone. The line on their
agreement has the replies in which both find a number, those with the same one, and who is right.

\b
Matched pairs of an easy and a hard condition also get their effect, easy - hard, in percentage points:
a two-sided paired t-test, McNemar's exact test, pairs with only the easy or only the hard item right,
and the smallest effect that these pairs find with 80 % power (5 % level); then the same by slice.
A slice "add / subtract" has the easy item with addition and the hard one with subtraction.
Holm p: the t-test's p, corrected over the subsets or over the slices of the subset.

\b
Exit codes: 0 scored, 2 could not be scored.
"""

_GOING = ("missing", "pairs", "majority char.", "majority", "random")
"""Columns that a narrow terminal leaves out, first to last."""


@click.command(epilog=_SCORE_EPILOG)
@click.argument("answers")
@click.option("--items", "source", required=True, metavar="PATH", help="A release folder, or one file of items.")
@click.option("--json", "as_json", is_flag=True, help="Every number as JSON instead of tables.")
@click.option("-o", "--out", metavar="FILE", help="Also write the JSON there, with the score of each item.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def score(answers: str, source: str, as_json: bool, out: str | None, force: bool) -> None:
    """Score model answers (one JSON object a line) against their items, joined by id."""
    from audit.report.strict_json import json_bytes
    from audit.responses.answers import read_answers
    from audit.responses.effects import effects
    from audit.responses.scoring import score_replies
    from generators.jsonl import write_bytes
    from hansproof.release.frozen import read_items
    from hansproof.terminal.json_output import print_json
    from hansproof.terminal.outputs import check_output
    from hansproof.terminal.progress import on_stderr

    if out:
        check_output(out, force=force)
    given, items = read_answers(answers), read_items(source)
    ids = {item.id for item in items}
    for one in given:
        one.refuse_unknown(ids, source)
    with on_stderr() as progress:
        reports = [score_replies(items, one.replies, one.model, progress) for one in given]
    found = [effects(items, one) for one in reports]

    def records(scores: bool = False) -> list[dict[str, Any]]:
        both = zip(reports, found, strict=True)
        return [one.record(scores) | {"effects": [effect.record() for effect in some]} for one, some in both]

    head = {"answers": answers, "items": source, "level": 0.95}
    if out:
        write_bytes(out, json_bytes(head | {"models": records(scores=True)}), overwrite=force)
    if as_json:
        print_json(head | {"models": records()})
    else:
        for place, (report, some) in enumerate(zip(reports, found, strict=True)):
            if place:
                click.echo()
            _print(report, some)
    for report in reports:
        _tell(report)


def _tell(report: Report) -> None:
    """A line about answers that are not there: whoever scores a part of a release should name that part."""
    every = report.lines[0]
    if every.missing:
        whose = f"{report.model}: " if report.model else ""
        many = f"{every.missing:,} of {every.items:,} items have"
        click.echo(f"note: {whose}{many} no answer and count as wrong", err=True)


def _print(report: Report, effects: Sequence[Effect]) -> None:
    from audit.report.terminal.ink import Ink, console_on
    from hansproof.terminal.effects import effect_tables, notes

    ink = Ink(console_on())
    _show(_accuracies(report), ink)
    if report.agreement is not None:
        ink.note(_agreement(report.agreement))
    for table in effect_tables(effects):
        ink.blank()
        _show(table, ink)
    for line in notes(effects):
        ink.note(line)


def _show(table: Table, ink: Ink) -> None:
    if gone := ink.table(table):
        ink.note(f"too narrow for: {', '.join(gone)}".replace("\n", " "))


def _accuracies(report: Report) -> Table:
    from audit.report.terminal.table import Column, Table

    lines = list(report.lines)
    # A dataset with one subset, or one subset for each slice, would say everything twice.
    if sum(line.by == "subset" for line in lines) == 1:
        lines = [line for line in lines if line.by not in ("subset", "set, n")]
    columns = {
        "items": [f"{line.items:,}" for line in lines],
        "right": [_rate(line.right) for line in lines],
        "characters": [_rate(line.characters) for line in lines],
        "pairs": [f"{line.pairs.total:,}" if line.pairs else "" for line in lines],
        "pairs right": [_rate(line.pairs) for line in lines],
        "unparsed": [f"{line.unparsed:,}" for line in lines],
        "missing": [f"{line.missing:,}" for line in lines],
        "random": [_share(line.random) for line in lines],
        "majority": [_share(line.majority) for line in lines],
        "majority char.": [_share(line.majority_character) for line in lines],
    }
    kept = {title: cells for title, cells in columns.items() if any(cells)}
    table = Table(
        Column("% [95 % interval]", "phrases"),
        *(Column(title, goes=_GOING.index(title) if title in _GOING else None) for title in kept),
        title=f"{report.dataset}@{report.version}" + (f", model {report.model}" if report.model else ""),
    )
    for place, line in enumerate(lines):
        if place and lines[place - 1].by != line.by:
            table.section()
        table.row("all" if line.by == "all" else f"{line.by} {line.name}", *(cells[place] for cells in kept.values()))
    return table


def _agreement(found: dict[str, Any]) -> str:
    """One line of whatever the scorer says about its two readings, NaN as undefined."""
    said = []
    for key, value in found.items():
        if value == "":
            continue
        text = f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
        said.append(f"{key.replace('_', ' ')} {'undefined' if text == 'nan' else text}")
    return f"agreement of the two readings of the replies: {', '.join(said)}"


def _rate(rate: Rate | None) -> str:
    return f"{100 * rate.share:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]" if rate else ""


def _share(value: float) -> str:
    return "" if isnan(value) else f"{100 * value:.1f}"
