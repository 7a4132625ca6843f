"""`hansproof analyse`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from generators.errors import InputError, UsageError
from hansproof.commands.options.items import ITEM_OPTIONS, item_options, item_reading
from hansproof.commands.options.percentage import PERCENTAGE
from hansproof.commands.options.replies import named_once, reply_reading
from hansproof.terminal.lines import tell
from hansproof.terminal.reports import Outputs, report_options

__all__ = ["analyse"]

_EPILOG = """\b
Examples:
  hansproof analyse logs/ --by shortcut --html study.html
  hansproof analyse gpt.jsonl mine=run.jsonl --items benchmark.csv --families families.csv
  hansproof analyse logs/ --items first.jsonl --items second.csv --figure scatter.svg --boxes boxes.svg
  hansproof analyse logs/ --json | jq '.models[] | {model, verdict}'
  hansproof analyse replies.jsonl --by hypotheses --items datasets/token-bias/1.1.0 --figure bars.svg
  hansproof analyse replies.jsonl --by hypotheses --items datasets/token-bias/1.1.0 --html tests.html --csv tests.csv
  hansproof analyse replies.jsonl --by effects --items datasets/word-problems/1.0.0 --html effects.html
  hansproof analyse replies.jsonl --by effects --items arms.csv --group pair --condition arm --csv effects.csv
  hansproof analyse runs.jsonl --by phenotype --html phenotype.html

\b
--by shortcut: do models lean on the shortcut that the audit finds? (Pacchiardi et al. 2024)
  Each benchmark is audited. What the winning probe predicts out of fold parts its items; the accuracy of each
  model on both parts is compared. Benchmarks have a shortcut where the audit says LEAKS or TEMPLATE-BOUND; pairs of
  others are listed, and are in no test.
  raw difference     accuracy where the probe is right less accuracy where it is wrong. It is reliance, and that
                     some items are easier for everybody
  at equal gold      the same among items with the same gold answer: a model and a probe that favour one answer
                     agree by this alone
  at equal success   the same among items that as many other models get right. It removes only part of what
                     difficulty does, because other models' answers are noisy
  beyond difficulty  what difficulty does not explain, at equal gold answers: it needs three models or more. It
                     compares a model with the others; what all of them share counts as difficulty
  agreement in error with three answers or more: the share of wrong answers that follow the probe, and not what
                     tempts the other models
  mean difference    as in the paper: of corrected accuracy, (accuracy - 1/k) / (1 - 1/k), with its paired t-test;
                     styles and runs of a model are averaged first.
                     Pairs of one benchmark share items and parts, so its p is too small; the joint p is not
  BH p               corrected after Benjamini and Hochberg, over families
Verdicts; every p is one-sided, corrected over both signs of all models (Holm), and intervals are 90 %
  LEANS              p of beyond difficulty, or of agreement in error, is at most .05. By the first alone it is only
                     consistent with reliance, unless --topic names the topics: a model that is better at the
                     topics that the probe gets right looks the same
  NOT SHOWN          it is not, a reliance of 10 points of a model that leans alone is found at least 80 % of the time
                     (in simulations 86 to 100 %), and the interval ends below that
  INCONCLUSIVE       it is not, and such a reliance could be missed, or was not measured, or wrong answers
                     contradict it
  NO SHORTCUT SHOWN  the audit shows no shortcut, and cannot rule one out
  NO SHORTCUT        the audit rules a shortcut out
In simulations where items are difficult for all models alike, some model that does not lean is called LEANS in 2 %
of studies, at most 7 % of a kind: benchmarks/README.md.

\b
--by effects compares matched conditions, as `score` does: accuracy on the original items less accuracy on others of
their groups. Families of hansproof declare what is compared. In any other benchmark, --group names the column that
says which items are matched, and --condition the column that says how they differ; every condition is compared with
the one called original (or baseline, base, control, reference, unperturbed, unchanged, clean), or else with the one
that occurs first. --by hypotheses tests the hypotheses that a family declares, on matched pairs; --by phenotype is
`hansproof phenotype`.

\b
Output is said in one way by score, compare and analyse: tables on the screen, every number with --json [FILE], rows
with --csv FILE, one page that needs no network with --html FILE. The page of --by shortcut is the whole study: what was
read, accuracies, differences between models, and, where the items have them, effects, hypotheses and phenotypes.

\b
REPLIES are files in any format that `score` reads, NAME=FILE to name the model, or folders of logs. Without --items,
logs that hold prompts and gold answers are benchmarks by themselves. Items are read and grouped as by `audit`, with its
options; a note says how many groups count.
Exit codes: 0 analysed, 2 could not be analysed.
"""

_READING = ("models", "styles", "columns", "reply_columns")
_ITEMS = tuple(ITEM_OPTIONS)
_COLUMNS = tuple(name for name in _ITEMS if name != "groups")
"""Hypotheses say themselves which pairs belong together."""
_TAKEN = {
    "shortcut": (
        *_READING, *_ITEMS, "families", "judged", "skip_missing", "topic", "threshold", "splits", "permutations",
        "seed", "workers", "figure", "boxes",
    ),
    "hypotheses": (*_READING, *_COLUMNS, "names", "shift", "figure"),
    "effects": (*_READING, *_ITEMS, "skip_missing"),
    "phenotype": ("models", "styles", "seed", "figure"),
}  # fmt: skip
_OPTIONS = {
    "families": "--families", "judged": "--judged", "topic": "--topic", "threshold": "--threshold",
    "splits": "--splits", "permutations": "--permutations", "boxes": "--boxes", "workers": "--workers",
    "seed": "--seed", "models": "--model", "styles": "--style", "columns": "--column",
    "reply_columns": "--reply-columns", "names": "--hypothesis", "shift": "--shift", "figure": "--figure",
    "skip_missing": "--skip-missing",
} | ITEM_OPTIONS  # fmt: skip


@click.command(short_help="Ask what answers say of models: do they lean on a shortcut?", epilog=_EPILOG)
@click.argument("answers", nargs=-1, required=True, metavar="REPLIES...")
@click.option("--by", type=click.Choice(["shortcut", "hypotheses", "effects", "phenotype"]), default="shortcut",
              show_default=True, help="What to analyse by.")  # fmt: skip
@click.option("--items", "sources", multiple=True, metavar="SOURCE",
              help="What was asked: a release folder or a benchmark of any format. Repeatable.")  # fmt: skip
@item_options
@click.option("--families", metavar="FILE", help="CSV with the columns model and family.")
@click.option("--model", "models", multiple=True, metavar="NAME", help="Only this model. Repeatable.")
@click.option("--style", "styles", multiple=True, metavar="NAME", help="Only this prompt style. Repeatable.")
@click.option(
    "--column", "columns", multiple=True, metavar="ROLE=NAME", help="Of the replies: a table's column. Repeatable."
)
@click.option("--reply-columns", metavar="NAME,NAME", help="The columns of a table with a model's replies each.")
@click.option("--judged", type=click.Choice(["reply", "harness"]), help="Whose verdict counts.  [default: reply]")
@click.option("--skip-missing", is_flag=True, default=None,
              help="Leave out items without a reply; otherwise they are wrong.")  # fmt: skip
@click.option("--topic", metavar="COLUMN", help="Column with each item's topic: items are compared within topics.")
@click.option("--threshold", type=float, help="Smallest kappa that counts as a shortcut.  [default: 0.2]")
@click.option("--splits", type=int, help="Times the audit splits the items anew.  [default: 10]")
@click.option("--permutations", type=int, help="Permutations behind each p of the audit.  [default: 999]")
@click.option("--seed", type=int, help="Seed of the audit, or of the bootstrap of a phenotype.  [default: 42; 0]")
@click.option("--workers", type=int, help="Threads of the audit; 0 for one per core.  [default: 0]")
@click.option("--hypothesis", "names", multiple=True, metavar="NAME", help="Test only this one. Repeatable.")
@click.option("--shift", type=PERCENTAGE, metavar="POINTS", help="Say how many pairs this shift needs.  [default: 5]")
@click.option("--figure", metavar="FILE", help="Draw the scatter plot, the tests or the phenotype (SVG).")
@click.option("--boxes", metavar="FILE", help="Draw the accuracies on both parts as box plots (SVG).")
@report_options(
    csv="Write a table with a row per model and benchmark, effect, test or model.",
    html="Write one HTML page: the whole study, the effects, the tests or the phenotypes.",
)
@click.pass_context
def analyse(context: click.Context, /, by: str, **given: Any) -> None:
    """Analyse the answers of models to benchmarks: by shortcuts, hypotheses, effects or phenotypes."""
    for name, option in _OPTIONS.items():
        if name not in _TAKEN[by] and given[name] not in (None, ()):
            raise UsageError(f"{option} does not go with --by {by}")
    if by == "shortcut":
        _by_shortcut(given)
    elif by == "effects":
        _by_effects(given)
    else:
        _forward(context, by, given)


def _by_shortcut(given: dict[str, Any]) -> None:
    from audit.documents.csv_cells import csv_text
    from audit.documents.strict_json import json_bytes
    from audit.reliance.figures.boxes import boxes
    from audit.reliance.figures.scatter import scatter
    from hansproof.analysed import analyse as analysed
    from hansproof.terminal.progress import lines_on_stderr
    from hansproof.terminal.reliance import pair_rows, reliance_tables

    outputs = _outputs(given)
    options = {
        name: given[name]
        for name in ("topic", "threshold", "splits", "permutations", "seed", "workers", "judged", "skip_missing")
    }
    with lines_on_stderr() as (progress, begun):
        study = analysed(
            given["answers"], items=list(given["sources"]) or None, families=given["families"], progress=progress,
            begun=begun,
            **_reading(given), **{name: value for name, value in options.items() if value is not None},
        )  # fmt: skip
    ink = outputs.ink()
    _show(reliance_tables(study), ink)
    for part in study.benchmarks:
        for note in part.notes:
            ink.note(f"{part.benchmark}: {note}")
    outputs.write(
        json=lambda: json_bytes(study),
        csv=lambda: csv_text(pair_rows(study)).encode(),
        html=lambda: study.page().encode(),
        figure=lambda: scatter(study).encode(),
        boxes=lambda: boxes(study).encode(),
    )
    for note in study.notes:
        tell(f"note: {note}")


def _by_effects(given: dict[str, Any]) -> None:
    """The tables of `score` on matched conditions, and nothing else of it."""
    from audit.documents.strict_json import json_bytes
    from hansproof.scored import score
    from hansproof.terminal.effects import effect_tables, notes, uncompared, why_no_effects
    from hansproof.terminal.progress import on_stderr
    from hansproof.terminal.scoring.answers import joined_notes
    from hansproof.terminal.scoring.effects_csv import effects_csv

    source = _single_source(given)
    outputs = _outputs(given)
    with on_stderr() as progress:
        reports = score(
            given["answers"], source, skip_missing=bool(given["skip_missing"]), **_reading(given), progress=progress
        )
    if reason := why_no_effects(reports):
        raise InputError(f"nothing to compare: {reason}", source)
    models = [
        {"model": report.model, "style": report.style, "run": report.run, "effects": report.record(False)["effects"]}
        for report in reports
    ]
    record = {"answers": list(given["answers"]), "items": source, "models": models}
    ink = outputs.ink()
    for place, report in enumerate(reports):
        if place:
            ink.blank()
        ink.line(report.title or "replies", "bold")
        _show(effect_tables(report.effects), ink)
        for note in filter(None, (*notes(report.effects), uncompared(report))):
            ink.note(note)
        if not report.effects and not report.without_effects:
            ink.note("no effects: it has replies to one of two matched conditions at most")
    outputs.write(
        json=lambda: json_bytes(record),
        csv=lambda: effects_csv(reports),
        html=lambda: reports.page("effects").encode(),
    )
    for note in joined_notes(reports.joined) if reports.joined else ():
        tell(f"note: {note}")


def _outputs(given: dict[str, Any]) -> Outputs:
    """What is to be written, checked against what is read."""
    files = {"json": "json_", "csv": "csv_", "html": "html", "figure": "figure", "boxes": "boxes"}
    outputs = Outputs(force=given["force"], **{name: given[option] for name, option in files.items()})
    outputs.check(_read(given))
    return outputs


def _forward(context: click.Context, by: str, given: dict[str, Any]) -> None:
    """What a command of its own does, with the words of that command."""
    words = [*given["answers"], *_worded({"--json": given["json_"], "--csv": given["csv_"], "--html": given["html"]})]
    if by == "hypotheses":
        from hansproof.commands.score import score as command

        words += ["--items", _single_source(given), "--test", "mcnemar"]
        words += _worded({_OPTIONS[name]: given[name] for name in (*_READING, *_COLUMNS)})
        shift = None if given["shift"] is None else f"{given['shift']:.17g}%"
        words += _worded({"--hypothesis": given["names"], "--shift": shift, "--figure": given["figure"]})
    else:
        from hansproof.commands.playing.phenotype import phenotype as command

        if len(given["sources"]) > 1:
            raise UsageError("name the items that were played once, or leave them out: --items SOURCE")
        words += _worded({"--items": given["sources"], "--model": given["models"], "--style": given["styles"]})
        words += _worded({"--seed": given["seed"], "--svg": given["figure"]})
    words += ["--force"] * given["force"]
    with command.make_context(context.info_name, words, parent=context.parent) as inner:
        command.invoke(inner)


def _worded(options: dict[str, Any]) -> list[str]:
    """Options as words of a command line: none for None, several for a tuple."""
    every = {option: value if isinstance(value, tuple) else (value,) for option, value in options.items()}
    return [f"{option}={value}" for option, values in every.items() for value in values if value is not None]


def _single_source(given: dict[str, Any]) -> str:
    sources: Sequence[str] = given["sources"]
    if len(sources) != 1:
        raise UsageError("name the items that were answered, once: --items SOURCE")
    return sources[0]


def _reading(given: dict[str, Any]) -> dict[str, Any]:
    """How answers and items are read, as the functions want it."""
    return {
        "models": given["models"],
        "styles": given["styles"],
        **reply_reading(given["columns"], given["reply_columns"]),
        **item_reading(given),
    }


def _read(given: dict[str, Any]) -> list[str]:
    """The files that are read, under their own names."""
    return [*named_once(given["answers"]), *given["sources"], *filter(None, [given["families"]])]


def _show(tables: Sequence[Any], ink: Any) -> None:
    for place, table in enumerate(tables):
        if place:
            ink.blank()
        if gone := ink.table(table):
            ink.note(f"too narrow for: {', '.join(gone)}".replace("\n", " "))
