"""`hansproof score`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from generators.errors import UsageError
from hansproof.commands.analysing.hypotheses import tested
from hansproof.commands.options.items import item_options, item_reading, original_option, single_items
from hansproof.commands.options.percentage import PERCENTAGE
from hansproof.commands.options.replies import named_once, reply_reading
from hansproof.terminal.lines import tell
from hansproof.terminal.reports import Outputs, report_options, show_tables
from hansproof.terminal.scoring.epilog import SCORE_EPILOG

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink
    from audit.responses.scoring import Report

__all__ = ["score"]


@click.command(short_help="Score model replies against their items.", epilog=SCORE_EPILOG)
@click.argument("answers", metavar="REPLIES...", nargs=-1, required=True)
@click.option(
    "--items",
    "sources",
    multiple=True,
    metavar="PATH",
    help="A release folder, a file of items, or any benchmark. Default: the items that the logs hold.",
)
@item_options
@original_option
@click.option("--model", "models", multiple=True, metavar="NAME", help="Only this model. Repeatable.")
@click.option(
    "--style", "styles", multiple=True, metavar="NAME", help="Only this prompt style, or filter of lm-eval. Repeatable."
)
@click.option(
    "--judged",
    type=click.Choice(["reply", "harness"]),
    default="reply",
    show_default=True,
    help="Whether our reading of the reply counts, or the verdict in the log.",
)
@click.option("--skip-missing", is_flag=True, help="Leave out items without a reply; otherwise they are wrong.")
@click.option("--families", metavar="FILE", help="A CSV file that says which model is of which family.")
@click.option(
    "--column", "columns", multiple=True, metavar="ROLE=NAME", help="Of the replies: a table's column. Repeatable."
)
@click.option("--reply-columns", metavar="NAME,NAME", help="The columns of a table with a model's replies each.")
@click.option(
    "--test",
    type=click.Choice(["mcnemar"]),
    help="Test the dataset's hypotheses, such as the six of token-bias, instead of scoring.",
)
@click.option("--hypothesis", "names", multiple=True, metavar="NAME", help="Test only this one. Repeatable.")
@click.option("--shift", type=PERCENTAGE, metavar="POINTS", help="Say how many pairs this shift needs.  [default: 5]")
@click.option("--figure", metavar="FILE", help="Also draw the tests as paired bars (SVG).")
@report_options(
    csv="Write a table with a row per model and part of the items, mean over runs and two models; or per test.",
    html="Write the scores, or the tests, as one HTML page.",
)
@click.option("-o", "--out", metavar="FILE", help="Write the JSON with the score of each item, too.")
def score(
    answers: tuple[str, ...],
    sources: tuple[str, ...],
    models: tuple[str, ...],
    styles: tuple[str, ...],
    judged: str,
    skip_missing: bool,
    families: str | None,
    columns: tuple[str, ...],
    reply_columns: str | None,
    original: str | None,
    test: str | None,
    names: tuple[str, ...],
    shift: float | None,
    figure: str | None,
    json_: str | None,
    csv_: str | None,
    html: str | None,
    out: str | None,
    force: bool,
    **asked: str | None,
) -> None:
    """Score model replies against their items, matched by id or by prompt."""
    source = single_items(sources, "score")
    read = [*named_once(answers), *(path for path in (source, families) if path is not None)]
    outputs = Outputs(force=force, json=json_, out=out, csv=csv_, html=html, figure=figure)
    outputs.check(read)
    chosen: dict[str, Any] = {
        "models": models,
        "styles": styles,
        **reply_reading(columns, reply_columns),
        **item_reading(asked),
    }
    if test:
        unused = (("--judged", judged != "reply"), ("--families", families), ("--groups", asked["groups"]))
        _refuse(*unused, why="is not for --test")
        _refuse(("--original", original), why="is not for --test: a hypothesis says what is compared with what")
        _refuse(("--skip-missing", skip_missing), why="is not for --test, which needs both replies of a pair anyway")
        del chosen["groups"]
        if source is None:
            raise UsageError("--test needs the items: pass them with --items")
        outputs.give(tested(answers, source, chosen, names, shift))
        return
    _refuse(
        ("--hypothesis", names), ("--shift", shift is not None), ("--figure", figure), why="belongs to --test mcnemar"
    )
    chosen |= {"judged": judged, "skip_missing": skip_missing, "families": families, "original": original}
    _score(answers, source, chosen, outputs)


def _refuse(*options: tuple[str, object], why: str) -> None:
    for option, given in options:
        if given:
            raise UsageError(f"{option} {why}")


def _score(answers: tuple[str, ...], source: str | None, chosen: Mapping[str, Any], outputs: Outputs) -> None:
    from audit.answers.account import account
    from audit.documents.strict_json import json_bytes
    from audit.notation import NAMELESS
    from audit.statistics.shares import LEVEL
    from hansproof.scored import score as scored
    from hansproof.terminal.effects import notes, shared_notes, uncompared
    from hansproof.terminal.progress import on_stderr
    from hansproof.terminal.scoring.answers import notes_of_all
    from hansproof.terminal.scoring.differences import difference_notes, difference_table, runs_table
    from hansproof.terminal.scoring.score_csv import score_csv

    with on_stderr() as progress:
        reports = scored(answers, source, **chosen, progress=progress)
        reports.compare(progress)

    def record(scores: bool = False) -> dict[str, Any]:
        return {
            "answers": answers[0] if len(answers) == 1 else list(answers),
            "items": source,
            "level": LEVEL,
            "judged": chosen["judged"],
            "skip_missing": chosen["skip_missing"],
            "read": account(reports.joined) if reports.joined else None,
            "models": [report.record(scores) for report in reports],
            "over_runs": [asdict(each) for each in reports.over_runs],
            "differences": [asdict(each) for each in reports.differences],
        }

    ink = outputs.ink()
    said: set[str] = set()
    for place, report in enumerate(reports):
        if place:
            ink.blank()
        _print(report, ink, said)
    of_effects = [(report.title or NAMELESS, [*notes(report.effects), uncompared(report)]) for report in reports]
    if any(report.effects for report in reports) and len(reports) > 1:
        ink.blank()
    for note in filter(None, shared_notes(of_effects)):
        ink.note(note)
    missing = any(report.lines[0].missing for report in reports)
    if (table := runs_table(reports.over_runs)) is not None:
        ink.blank()
        show_tables([table], ink)
    if (table := difference_table(reports.differences)) is not None:
        ink.blank()
        show_tables([table], ink)
        for note in difference_notes(reports.differences, missing=missing, judged=reports.judged):
            ink.note(note)
    outputs.write(
        json=lambda: json_bytes(record()),
        out=lambda: json_bytes(record(scores=True)),
        csv=lambda: score_csv(reports, reports.over_runs, reports.differences),
        html=lambda: reports.page().encode(),
    )
    for note in notes_of_all(reports, reports.joined, reports.judged):
        tell(f"note: {note}")


def _print(report: Report, ink: Ink, known: set[str]) -> None:
    """The tables of a model, with notes; those in `known`, which other models had too, are not said again."""
    from audit.study.words import blind_note, matched_note, measure_note, reading_note
    from hansproof.terminal.effects import effect_tables
    from hansproof.terminal.scores import score_table
    from hansproof.terminal.scoring.answers import harness_note
    from hansproof.terminal.spreads import spread_table

    show_tables([score_table(report)], ink, ("--json", "--html"))
    common = [note for note in (measure_note(report), blind_note(report)) if note and note not in known]
    for note in (*common, matched_note(report), *map(reading_note, report.readings), harness_note(report)):
        if note:
            ink.note(note)
    known.update(common)
    for table in effect_tables(report.effects):
        ink.blank()
        show_tables([table], ink, ("--json", "--html"))
    if (spread := spread_table(report.spreads)) is not None:
        ink.blank()
        show_tables([spread], ink, ("--json",))
