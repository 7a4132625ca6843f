"""`hansproof score`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from hansproof.audit.harnesses.column_names import listed
from hansproof.commands.analysis_kinds import tested
from hansproof.commands.options import (
    PERCENTAGE,
    choice_option,
    item_options,
    item_reading,
    named_once,
    original_option,
    reply_options,
    reply_reading,
    series_options,
    single_items,
)
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import Outputs, report_options, show_tables
from hansproof.terminal.streams import tell

if TYPE_CHECKING:
    from hansproof.audit.models.scores import Report
    from hansproof.audit.report.terminal import Ink
    from hansproof.scoring import Scores

__all__ = ["score"]

SCORE_EPILOG = """\b
Examples:
  hansproof score replies.jsonl --items datasets/planted-cues/1.0.0 --html scores.html
  hansproof score gpt.eval llama=samples_mine.jsonl --items bench.csv --csv scores.csv
  zcat big.jsonl.gz | hansproof score mine=- --items bench.csv
  hansproof score logs/ --judged harness
  hansproof score partial.jsonl --items bench.csv --skip-missing
  hansproof score table.csv --items bench.csv --column id=qid --reply-columns gpt,llama
  hansproof score replies.jsonl --items arms.csv --group pair --condition arm --original plain
  hansproof score replies.jsonl --items items.jsonl --json | jq .models[0].lines[0].right
  hansproof score replies.jsonl --items datasets/token-bias/1.1.0 --test mcnemar --figure bars.svg

\b
REPLIES are files or folders, and may hold the answers of many models; - is standard input, NAME=FILE names
the model. What a file is, its content decides: logs of inspect_ai, lm-evaluation-harness, OpenAI evals and
HELM; tables (CSV, TSV, Parquet, JSON); or JSON lines such as
  {"id": "planted-cues/1.0.0/none/000000", "reply": "I think so. Yes", "model": "mine"}
with "prompt" for "id" if you like, and "family", "style" and "run" where there are several.

\b
Columns of tables are guessed by these names, in any case, with - or a blank for _; --column ROLE=NAME decides.
`answer` is the reply beside a model, or beside another column for the gold answer.
@COLUMNS@

\b
Columns
  right         items with the whole answer right, with a 95 % interval that is robust to groups of items
  se            standard error of that share, in points, clustered by group (Miller 2024); where it is much smaller
                than the interval, a note says so: go by the interval
  groups right  groups of matched items with every item right; flips: some are right and others wrong
  unclear       replies without one clear answer; they count as wrong
  missing       items without a reply, or with an empty one; wrong, too, unless you pass --skip-missing
  chance        the expected score of a uniform guess; empty for open answers
  best blind    the best of the strategies that answer without the ability, picked on these very items; of one that does
                not answer all of them, the share right of those that it answers, and how many these are
docs/answers.md has the columns of differences, effects and hypotheses (`hansproof list` names those), and
says how replies find their items and are read, which items count together, and what is compared.

\b
Exit codes: 0 scored, 2 could not be scored.
""".replace("@COLUMNS@", listed())


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
@series_options
@choice_option("--judged", ["reply", "harness"], "Whether our reading of the reply counts, or the verdict in the log.")
@click.option("--skip-missing", is_flag=True, help="Leave out items without a reply; otherwise they are wrong.")
@click.option("--families", metavar="FILE", help="A CSV file that says which model is of which family.")
@reply_options
@click.option(
    "--test",
    type=click.Choice(["mcnemar"]),
    help="Test the dataset's hypotheses, such as the six of token-bias, instead of scoring.",
)
@click.option("--hypothesis", "names", multiple=True, metavar="NAME", help="Test only this one. Repeatable.")
@click.option("--shift", type=PERCENTAGE, metavar="POINTS", help="Say how many pairs this shift needs.  [default: 5]")
@click.option("--figure", metavar="FILE", help="Also draw the tests as paired bars (SVG).")
@click.option(
    "--all", "every", is_flag=True, help="Print all tables: conditions, slices, effects and differences, too."
)
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
    every: bool,
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
    chosen = {"models": models, "styles": styles, **reply_reading(columns, reply_columns), **item_reading(asked)}
    if test:
        _refuse(("--families", families), ("--groups", asked["groups"]), ("--all", every), why="is not for --test")
        _refuse(("--original", original), why="is not for --test: a hypothesis says what is compared with what")
        _refuse(("--skip-missing", skip_missing), why="is not for --test, which needs both replies of a pair anyway")
        del chosen["groups"]
        chosen["judged"] = judged
        if source is None:
            raise UsageError("--test needs the items: pass them with --items")
        outputs.give(tested(answers, source, chosen, names, shift))
        return
    _refuse(
        ("--hypothesis", names), ("--shift", shift is not None), ("--figure", figure), why="belongs to --test mcnemar"
    )
    chosen |= {"judged": judged, "skip_missing": skip_missing, "families": families, "original": original}
    _score(answers, source, chosen, outputs, every)


def _refuse(*options: tuple[str, object], why: str) -> None:
    for option, given in options:
        if given:
            raise UsageError(f"{option} {why}")


def _score(
    answers: tuple[str, ...], source: str | None, chosen: Mapping[str, Any], outputs: Outputs, every: bool
) -> None:
    from hansproof.audit.notation import csv_text
    from hansproof.audit.report.study_scores import headlines
    from hansproof.audit.result.record import json_bytes
    from hansproof.scoring import score as scored
    from hansproof.terminal.scores import notes_of_all
    from hansproof.terminal.streams import on_stderr

    with on_stderr() as progress:
        reports = scored(answers, source, **chosen, progress=progress)
        reports.compare(progress)

    ink = outputs.ink()
    for sentence in headlines(reports):
        ink.line(sentence)
    ink.blank()
    (_print_all if every else _print_first)(reports, ink)
    outputs.write(
        json=lambda: json_bytes(reports.record()),
        out=lambda: json_bytes(reports.record(scores=True)),
        csv=lambda: csv_text(reports.rows()).encode(),
        html=lambda: reports.page().encode(),
    )
    for note in notes_of_all(reports, reports.joined, reports.judged):
        tell(f"note: {note}")


def _print_first(reports: Scores, ink: Ink) -> None:
    """The weakest parts, means over runs, and where the rest is."""
    from hansproof.terminal.differences import runs_table
    from hansproof.terminal.scores import weakest_table

    for table in (weakest_table(reports), runs_table(reports.over_runs)):
        if table is not None:
            show_tables([table], ink, ("--all", "--csv", "--html"))
            ink.blank()
    ink.note(
        "--all prints every table: parts, blind strategies, matched conditions, differences between models; --csv, "
        "--json and --html have them, too"
    )


def _print_all(reports: Scores, ink: Ink) -> None:
    from hansproof.audit.notation import NAMELESS
    from hansproof.terminal.differences import difference_notes, difference_table, runs_table, shared_notes, uncompared
    from hansproof.terminal.differences import effect_notes as notes

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


def _print(report: Report, ink: Ink, known: set[str]) -> None:
    """The tables of a model, with notes; those in `known`, which other models had too, are not said again."""
    from hansproof.audit.report.study_scores import blind_note, matched_note, measure_note, reading_note
    from hansproof.terminal.differences import effect_tables
    from hansproof.terminal.scores import harness_note, score_table, spread_table

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
