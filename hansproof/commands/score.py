"""`hansproof score`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hansproof.terminal.lines import tell

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink
    from audit.report.terminal.table import Table
    from audit.responses.scoring import Report

__all__ = ["score"]

_SCORE_EPILOG = """\b
Examples:
  hansproof score replies.jsonl --items datasets/planted-cues/1.0.0
  hansproof score replies.jsonl --items private.jsonl --json | jq .models[0].lines[0].right
  hansproof score replies.jsonl --items items.jsonl --out scores.json
  hansproof score replies.jsonl --items datasets/word-problems/1.0.0 --json | jq .models[0].effects
  hansproof score replies.jsonl --items datasets/token-bias/1.1.0 --test mcnemar --figure bars.svg
  hansproof score replies.jsonl --items datasets/token-bias/1.1.0 --test mcnemar --hypothesis H1 --json

\b
Each line of REPLIES: {"id": "planted-cues/1.0.0/none/000000", "reply": "I think so. Yes", "model": "mine"}
The key "reply" may also be "response", "output" or "completion". "model" is optional; each model gets its own
table. With the "item_digest" that `hansproof prompts` writes, replies to other items of the same ids (another
seed) are refused.

\b
Columns
  right         items with the whole answer right, with Wilson's 95 % interval (robust to dependence within
                groups where items share one)
  groups right  groups of matched items with every item right, such as both items of a pair
  unparsed      replies without one clear answer; they count as wrong
  missing       items without a reply; they count as wrong
  chance        the expected score of a uniform guess; empty for open answers
  best blind    the best of the strategies that answer without the ability, and its name; it is picked on
                these very items, so its share is a little too high
Some datasets add measures of their own, such as the share of characters that are right. Each is a weighted
mean, with a 95 % interval that is robust to dependence within groups; its heading says if it is not in per
cent. Where no answer is right, chance and best blind are those of the first measure. Blind strategies that
learn are trained on other groups of the same subset. --json has every strategy.

\b
Effects
  Matched items have an original condition and one or more perturbed ones. An effect is the accuracy on the
  original minus the accuracy on the perturbed items, in percentage points.
  t p, McNemar p  two-sided paired t-test, and McNemar's exact test
  Holm p          the p of the t-test, corrected over all subsets and perturbations, or over the slices of
                  a subset
  only one right  pairs with only the original or only the perturbed item right
  80 % power      the smallest effect that this many pairs detect with 80 % power at the 5 % level, before
                  Holm's correction
  A slice "add / subtract" pairs an original with addition and a perturbed item with subtraction.

\b
Spread over the surface forms of a problem (word-problems: surface-forms)
  sd of forms     standard deviation of the accuracy over sets with one form of each problem, in points
  variance within mean variance of right and wrong over the forms of a problem: 0 where the form never matters
  if independent  what that would be if the answers to the forms of a problem had nothing to do with each other
  % mixed         problems of which some forms are right and others wrong
  Cochran p       Cochran's Q: are all forms right equally often?

\b
Hypotheses
  --test mcnemar tests all hypotheses of a dataset at once: what should happen to the answers when something
  that does not matter is changed. `hansproof list token-bias` shows them. REPLIES may hold the replies of many
  models, each in many prompt styles, and may give the "prompt" instead of the "id":
  {"prompt": "Sam lived in ... (b) ...", "reply": "It is (b).", "model": "mine", "style": "zero-shot-cot"}
  Hypotheses about prompt styles need replies with these styles (`hansproof prompts` writes them); a reply
  without a clear answer is wrong; a pair without one of its replies is left out, and the notes say so.
  n12, n21   pairs with only the answer before, or only the answer after, the change right
  z          (n21 - n12) / sqrt(n12 + n21); with at most ten such pairs, p is exact
  p          one-sided in the expected direction; two-sided where either may happen
  BH p       corrected over all tests of a hypothesis after Benjamini and Hochberg; * marks .05 and less.
             --json also has it over the models alone
  finds      the smallest shift in percentage points that so many pairs find with 80 % power
  needs for  pairs that find a shift of 5 points, or of --shift, with 80 % power
  Both hold for a single test, before the correction.

\b
Exit codes: 0 scored, 2 could not be scored.
"""


@click.command(short_help="Score model replies against their items.", epilog=_SCORE_EPILOG)
@click.argument("answers", metavar="REPLIES")
@click.option("--items", "source", required=True, metavar="PATH", help="A release folder, or one file of items.")
@click.option(
    "--test",
    type=click.Choice(["mcnemar"]),
    help="Test the dataset's hypotheses, such as the six of token-bias, instead of scoring.",
)
@click.option("--hypothesis", "names", multiple=True, metavar="NAME", help="Test only this one. Repeatable.")
@click.option("--shift", type=float, metavar="POINTS", help="Say how many pairs this shift needs.  [default: 5]")
@click.option("--figure", metavar="FILE", help="Also draw the tests as paired bars (SVG).")
@click.option("--json", "as_json", is_flag=True, help="Print every number as JSON instead of tables.")
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    help="Also write the JSON to FILE, with the score of each item.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def score(
    answers: str,
    source: str,
    test: str | None,
    names: tuple[str, ...],
    shift: float | None,
    figure: str | None,
    as_json: bool,
    out: str | None,
    force: bool,
) -> None:
    """Score model replies (one JSON object per line) against their items, matched by id."""
    from audit.documents.strict_json import json_bytes
    from audit.report.terminal.ink import Ink, console_on
    from audit.responses.shares import LEVEL
    from generators.errors import UsageError
    from hansproof.scored import score as scored
    from hansproof.terminal.json_output import print_json
    from hansproof.terminal.outputs import STDOUT, check_outputs, screen, write_outputs
    from hansproof.terminal.progress import on_stderr

    # The JSON of --json takes standard output, too.
    check_outputs((out, figure, STDOUT if as_json else None), (answers, source), force=force)
    if test:
        _test(answers, source, names, 5.0 if shift is None else shift, figure, as_json, out, force)
        return
    for option, given in (("--hypothesis", names), ("--shift", shift is not None), ("--figure", figure)):
        if given:
            raise UsageError(f"{option} belongs to --test mcnemar")
    with on_stderr() as progress:
        reports = scored(answers, source, progress=progress)

    def record(scores: bool = False) -> dict[str, Any]:
        models = [report.record(scores) for report in reports]
        return {"answers": answers, "items": source, "level": LEVEL, "models": models}

    if as_json:
        print_json(record())
    else:
        ink = Ink(console_on(screen(out)))
        for place, report in enumerate(reports):
            if place:
                ink.blank()
            _print(report, ink)
    write_outputs([(out, lambda: json_bytes(record(scores=True)))], force=force)
    for report in reports:
        _warn(report)


def _test(
    answers: str,
    source: str,
    names: tuple[str, ...],
    points: float,
    figure: str | None,
    as_json: bool,
    out: str | None,
    force: bool,
) -> None:
    from audit.documents.strict_json import json_bytes
    from audit.report.terminal.ink import Ink, console_on
    from audit.responses.hypotheses.figure import paired_bars
    from generators.errors import UsageError
    from hansproof.scored import hypotheses
    from hansproof.terminal.hypotheses import hypothesis_notes, hypothesis_tables, left_notes
    from hansproof.terminal.json_output import print_json
    from hansproof.terminal.outputs import screen, write_outputs
    from hansproof.terminal.progress import on_stderr

    if not 0 < abs(points) <= 100:
        raise UsageError(f"the shift must be above 0 and up to 100 points, not {points:g}", "--shift")
    with on_stderr() as progress:
        report = hypotheses(answers, source, names=names, shift=points / 100, progress=progress)
    record = {"answers": answers, "items": source, **report.record()}
    if as_json:
        print_json(record)
    else:
        ink = Ink(console_on(screen(out, figure)))
        for place, table in enumerate(hypothesis_tables(report)):
            if place:
                ink.blank()
            _show(table, ink)
        for note in hypothesis_notes(report):
            ink.note(note)
    write_outputs([(out, lambda: json_bytes(record)), (figure, lambda: paired_bars(report).encode())], force=force)
    for note in left_notes(report):
        tell(f"note: {note}")


def _warn(report: Report) -> None:
    """Say how many replies are missing: whoever scores a part of a release should name that part."""
    every = report.lines[0]
    if every.missing:
        whose = f"model {report.model}: " if report.model else ""
        wrong = " and count as wrong" if every.right is not None else ""
        tell(f"note: {whose}{every.missing:,} of {every.items:,} items have no reply{wrong}")


def _print(report: Report, ink: Ink) -> None:
    from hansproof.terminal.effects import effect_tables, notes, uncompared
    from hansproof.terminal.scores import blind_note, measure_note, reading_note, score_table
    from hansproof.terminal.spreads import spread_table

    _show(score_table(report), ink)
    for note in (measure_note(report), blind_note(report), *map(reading_note, report.readings)):
        if note:
            ink.note(note)
    if not_compared := uncompared(report):
        ink.note(not_compared)
    for table in effect_tables(report.effects):
        ink.blank()
        _show(table, ink)
    for note in notes(report.effects):
        ink.note(note)
    if (spread := spread_table(report.spreads)) is not None:
        ink.blank()
        _show(spread, ink)


def _show(table: Table, ink: Ink) -> None:
    if gone := ink.table(table):
        ink.note(f"too narrow for: {', '.join(gone)}".replace("\n", " "))
