"""`hansproof compare`: two models on the same items, and with `--plan` how many items a difference takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING, Any

import click

from hansproof.audit.report.terms import legend
from hansproof.commands.analysis_kinds import reading
from hansproof.commands.options import (
    ITEM_OPTIONS,
    PERCENTAGE,
    choice_option,
    examples,
    item_options,
    named_files,
    reply_options,
    series_options,
    single_items,
)
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import Made, Outputs, files_of, report_options

if TYPE_CHECKING:
    from hansproof.audit.models.planning import Design, Plan
    from hansproof.audit.report.plan_words import Planned
    from hansproof.audit.report.terminal import Ink
    from hansproof.comparing import ComparedAnswers, Opposed

__all__ = ["compare"]

_ROUNDING = 1e-9
_USUAL = (1.0, 2.0, 3.0, 5.0, 10.0)
"""Differences in points, where none is asked for."""


@dataclass(frozen=True)
class Supposed:
    """The options of --plan; None for those that were not given."""

    difference: float | None
    count: int | None
    discordant: float | None
    accuracy: float | None
    correlation: float | None
    group_size: float | None
    icc: float | None

    def named(self) -> str:
        """The first option that was given."""
        field = next(name for name, value in vars(self).items() if value is not None)
        return f"--{field.replace('_', '-')}"


def planned(supposed: Supposed, opposed: Opposed | None, skip_missing: bool) -> Planned:
    """The plan. Raises UsageError for numbers that cannot be."""
    from hansproof.audit.models.planning import pilot, plan
    from hansproof.audit.models.sides import in_common
    from hansproof.audit.notation import things
    from hansproof.audit.report.plan_words import Planned

    _check(supposed, opposed is not None)
    size = missing = 0
    points = [supposed.difference] if supposed.difference is not None else [] if supposed.count else list(_USUAL)
    if opposed is not None:
        common = in_common(opposed.grid, opposed.a, opposed.b, skip_missing=skip_missing)
        size = len(common.items)
        missing = int((common.a.missing | common.b.missing).sum())
        design = pilot(common)
        origin = f"measured on {things(size, 'item')}"
    else:
        design, origin = _design(supposed)
    guess = opposed is None and supposed.discordant is None
    if guess and supposed.difference is not None:
        _refuse_impossible(supposed, supposed.difference)
    # A pilot has an interval of the share, unless its scores are means of runs, which may differ by any fraction.
    most = design.discordant if supposed.discordant is not None else 1.0 if isnan(design.high) else design.high
    if supposed.difference is None:
        points = [each for each in points if each / 100 <= most and not (guess and each > _widest(supposed))]
    elif supposed.difference / 100 > most:
        share = f"{100 * most:.3g} %{'' if opposed is None else ' at most'}"
        raise UsageError(
            f"{supposed.difference:g} points cannot be: so large a difference takes at least as many per cent of items "
            f"that only one side gets right, and there are {share}, {origin}",
            "--difference",
        )
    if not points and supposed.count is None and opposed is None:
        widest = _widest(supposed) if guess else 100 * most
        reason = (
            f"at an accuracy of {_guessed(supposed)[0]:g} %" if guess else "with so few items right with only one side"
        )
        raise UsageError(f"{reason}, say which difference: --difference {min(0.5, widest / 2):.2g}%")
    counts = [supposed.count] if supposed.count else [size] if size and supposed.difference is None else []
    designs = [_at(supposed, design, each / 100) if guess else design for each in points]
    shows = tuple(_shown(supposed, design, count) if guess else plan(design, items=count) for count in counts)
    if opposed is None and not guess:
        _refuse_more(supposed, shows)
    return Planned(
        needs=tuple(plan(held, difference=each / 100) for held, each in zip(designs, points, strict=True)),
        shows=shows,
        origin=origin,
        between=None if opposed is None else (opposed.a.title, opposed.b.title),
        items=size,
        missing=missing,
        runs=opposed is not None and max(len(opposed.a.columns), len(opposed.b.columns)) > 1,
    )


def _design(supposed: Supposed) -> tuple[Design, str]:
    from hansproof.audit.models.planning import Design, discordance

    size = 1.0 if supposed.group_size is None else supposed.group_size
    icc = supposed.icc or 0.0
    if supposed.discordant is not None:
        return Design(supposed.discordant / 100, nan, nan, size, icc), "as supposed"
    accuracy, correlation = _guessed(supposed)
    share = discordance(accuracy / 100, 0.0, correlation)
    how = "guessed" if supposed.accuracy is None else "reckoned"
    said = f"{how} from an accuracy of {accuracy:g} % and a correlation of {correlation:g} of the two scores"
    if supposed.correlation is None:
        said += ", which asks for the most items: models that are right on the same items need fewer (--correlation)"
    return Design(share, nan, nan, size, icc), said


def _guessed(supposed: Supposed) -> tuple[float, float]:
    """Accuracy in per cent and correlation. Without a pilot nobody knows how alike two models are, so that the cautious
    guess is that they are right on unrelated items: of those that are not negative it asks for the most items."""
    accuracy = 70.0 if supposed.accuracy is None else supposed.accuracy
    return accuracy, 0.0 if supposed.correlation is None else supposed.correlation


def _at(supposed: Supposed, design: Design, difference: float) -> Design:
    """The guessed design at a difference: the two accuracies are half of it above and below."""
    from hansproof.audit.models.planning import discordance

    accuracy, correlation = _guessed(supposed)
    return replace(design, discordant=discordance(accuracy / 100, difference, correlation))


def _widest(supposed: Supposed) -> float:
    """The largest difference in points of two accuracies whose mean is the supposed one."""
    accuracy, _ = _guessed(supposed)
    return 2 * min(accuracy, 100 - accuracy)


def _refuse_impossible(supposed: Supposed, points: float) -> None:
    """Raise UsageError for a difference, and a correlation, that two sides of that accuracy cannot have."""
    accuracy, correlation = _guessed(supposed)
    if points > _widest(supposed):
        raise UsageError(
            f"{points:g} points cannot be at a mean accuracy of {accuracy:g} %: at most {_widest(supposed):g}, with "
            f"one side at {'100' if accuracy >= 50 else '0'} %",
            "--difference",
        )
    p, q = (accuracy + points / 2) / 100, (accuracy - points / 2) / 100
    most = min(p + q, 2 - p - q)
    spread = 2 * sqrt(p * (1 - p) * q * (1 - q))
    apart = p * (1 - q) + q * (1 - p)
    if apart - correlation * spread > most + _ROUNDING:
        least = (apart - most) / spread
        raise UsageError(
            f"{correlation:g} cannot be at accuracies of {100 * p:.3g} and {100 * q:.3g} %: at least {least:.2f} can",
            "--correlation",
        )


def _shown(supposed: Supposed, design: Design, items: int) -> Plan:
    """What `items` show where the share is guessed: at the very difference that they show, as --difference has it."""
    from scipy import optimize

    from hansproof.audit.models.planning import found_with, plan

    widest = _widest(supposed) / 100

    def lacking(difference: float) -> float:
        shown = found_with(items, _at(supposed, design, difference))
        return (1.0 if isnan(shown) else shown) - difference

    if lacking(widest) > 0:
        accuracy, _ = _guessed(supposed)
        raise UsageError(
            f"{items:,} show no difference that can be: at a mean accuracy of {accuracy:g} % it is at most "
            f"{_widest(supposed):g} points, and takes more items",
            "--count",
        )
    reached = float(optimize.brentq(lacking, 0.0, widest))
    _refuse_impossible(supposed, 100 * reached)
    return plan(_at(supposed, design, reached), items=items)


def _refuse_more(supposed: Supposed, shows: Sequence[Plan]) -> None:
    """Raise UsageError where so few items show only differences that take more discordant items than are supposed."""
    for row in shows:
        if row.difference > row.design.discordant + _ROUNDING:
            raise UsageError(
                f"{row.items:,} show no difference that can be: with {supposed.discordant:g} % of items right with "
                f"only one side it is at most {supposed.discordant:g} points, and takes more items",
                "--count",
            )


def _check(supposed: Supposed, piloted: bool) -> None:
    guesses = (supposed.discordant, supposed.accuracy, supposed.correlation, supposed.group_size, supposed.icc)
    if piloted and any(value is not None for value in guesses):
        name = replace(supposed, difference=None, count=None).named()
        raise UsageError(f"{name} is measured on the answers of a pilot; leave it out, or the answers")
    if supposed.discordant is not None and (supposed.accuracy is not None or supposed.correlation is not None):
        raise UsageError("--discordant says what --accuracy and --correlation guess; leave them out")
    bounds = {
        "difference": (0.0, 100.0, "above 0 and up to 100 points"),
        "discordant": (0.0, 100.0, "above 0 and up to 100 per cent"),
        "accuracy": (0.0, 100 - 1e-9, "above 0 and below 100 per cent"),
        "correlation": (-1.0, 1.0, "above -1 and up to 1"),
        "group_size": (0.9999, 1e6, "from 1 to 1,000,000"),
        "icc": (-1e-9, 1.0, "from 0 to 1"),
    }
    for name, (low, high, words) in bounds.items():
        value = vars(supposed)[name]
        if value is not None and (isnan(value) or not low < value <= high):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"must be {words}, not {value:,.12g}", option)
    if (supposed.group_size is None) != (supposed.icc is None):
        given, lacking = ("--icc", "--group-size") if supposed.group_size is None else ("--group-size", "--icc")
        raise UsageError(
            f"{given} changes nothing without {lacking}: it takes more items where groups of --group-size items have "
            "differences that correlate by --icc (0 not at all, 1 wholly); a pilot measures both"
        )


_SHOWN = 5


@click.command(epilog=examples("compare", COLUMNS=legend()))
@click.argument("answers", nargs=-1, metavar="[ANSWERS]...")
@click.option(
    "--items", "sources", multiple=True, metavar="SOURCE", help="A release folder, a file of items, or a benchmark."
)
@item_options
@click.option("--a", "a_name", default="", metavar="NAME", help="Side A: a model, a prompt style or a run.")
@click.option("--b", "b_name", default="", metavar="NAME", help="Side B.")
@series_options
@click.option("--margin", type=PERCENTAGE, metavar="POINTS", help="A smaller difference is negligible.  [default: 5]")
@click.option("--skip-missing", is_flag=True, help="Leave out items without a reply of both.")
@choice_option("--judged", ["reply", "harness"], "Whose verdict counts: ours, or that of the log.")
@reply_options
@click.option("--show", type=click.IntRange(min=0), metavar="N", help="Items that changed, of each kind.  [default: 5]")
@click.option("--plan", is_flag=True, help="Say how many items a difference needs.")
@click.option("--difference", type=PERCENTAGE, metavar="POINTS", help="With --plan: the difference to be found.")
@click.option(
    "--count", type=click.IntRange(min=1, max=10**9), metavar="N", help="With --plan: find what N items show."
)
@click.option(
    "--discordant", type=PERCENTAGE, metavar="PERCENT", help="With --plan: items that only one side gets right."
)
@click.option(
    "--accuracy",
    type=PERCENTAGE,
    metavar="PERCENT",
    help="With --plan, without --discordant: the mean of both sides.  [default: 70]",
)
@click.option("--correlation", type=float, metavar="R", help="With --plan, without --discordant.  [default: 0]")
@click.option("--group-size", type=float, metavar="M", help="With --plan and --icc: items of a group.  [default: 1]")
@click.option("--icc", type=float, metavar="R", help="With --plan and --group-size: how alike a group is.")
@report_options(
    csv="Write the items that changed, prompts and readings with them, or the rows of a plan, as a table.",
    html="Write the comparison, or the plan, as one HTML page.",
)
@click.option("--feature", "--components", "--metric", "moved", is_flag=False, flag_value="", hidden=True)
def compare(answers: tuple[str, ...], sources: tuple[str, ...], plan: bool, force: bool, **given: Any) -> None:
    """Compare two models, prompt styles or dates on the same items: is one of them better, and how sure is that?"""
    from hansproof.audit.models.comparison import MARGIN

    items = single_items(sources, "compare")
    if given["moved"] is not None:
        raise UsageError(
            "--feature, --components and --metric have moved: hansproof phenotype --models FILE --feature ..."
        )
    supposed = Supposed(**{field.name: given[field.name] for field in fields(Supposed)})
    if not plan and any(value is not None for value in vars(supposed).values()):
        raise UsageError(f"{supposed.named()} belongs to --plan")
    if len(answers) > 2 or (not answers and not plan):
        raise UsageError(f"name one file of answers, or two, not {len(answers)}; or --plan")
    margin: float | None = given["margin"]
    if margin is not None and not 0 < margin < 100:
        raise UsageError(f"the margin must be above 0 and below 100 points, not {margin:g}", "--margin")
    if not answers:
        _refuse_without_answers(items, given)
    if plan and (name := next((name for name in ("margin", "show") if given[name] is not None), None)):
        raise UsageError(f"--{name} belongs to a comparison, and --plan makes none; leave out one of the two")
    outputs = Outputs(force=force, json=given["json_"], csv=given["csv_"], html=given["html"])
    outputs.check((*named_files(answers), *([items] if items else [])))
    share = MARGIN if margin is None else margin / 100
    opposed = _opposed(answers, items, share, given) if answers else None
    left = [] if opposed is None else _left(opposed)
    if plan:
        outputs.give(_plan(planned(supposed, opposed, given["skip_missing"]), answers, opposed, left))
    elif opposed is not None:
        compared = opposed.compared(share, skip_missing=given["skip_missing"])
        outputs.give(_comparison(compared, answers, left, given["show"]))


def _refuse_without_answers(items: str | None, given: Mapping[str, Any]) -> None:
    """Raise UsageError for options that say something of answers, or of items that were answered."""
    if items or any(given[name] for name in ("a_name", "b_name", "models", "styles")):
        raise UsageError("--items, --a, --b, --model and --style need files of answers")
    if name := next((name for name in ITEM_OPTIONS if given[name] is not None), None):
        raise UsageError(f"{ITEM_OPTIONS[name]} says how --items are read: it needs them, and files of answers")
    of_answers = {
        "--skip-missing": given["skip_missing"],
        "--judged": given["judged"] != "reply",
        "--column": given["columns"],
        "--reply-columns": given["reply_columns"],
    }
    if option := next((option for option, value in of_answers.items() if value), None):
        raise UsageError(f"{option} says how answers count and are read: it needs files of answers")


def _opposed(answers: tuple[str, ...], items: str | None, margin: float, given: Mapping[str, Any]) -> Opposed:
    from hansproof.audit.replies.asking import Asking
    from hansproof.audit.replies.reply_files import ReadingOptions, ReplyColumns
    from hansproof.comparing import oppose
    from hansproof.terminal.streams import on_stderr

    read = reading(given)
    named = ReplyColumns.of(read["columns"], tuple(read["reply_columns"]))
    sides = given["a_name"], given["b_name"]
    with on_stderr() as progress:
        return oppose(
            answers,
            items,
            ReadingOptions(named, {}, given["models"], given["styles"], sides),
            asking=Asking.of(read["item_columns"], read["groups"]),
            margin=margin,
            judged=given["judged"],
            progress=progress,
        )


def _comparison(made: ComparedAnswers, answers: tuple[str, ...], left: list[str], most: int | None) -> Made:
    from hansproof.audit.report.comparison_page import render_comparison, show_changes, show_comparison

    def show(ink: Ink) -> None:
        show_comparison(made, ink)
        show_changes(made, _SHOWN if most is None else most, ink)

    return Made(show, files_of(made) | {"html": lambda: render_comparison(made, answers, left)}, left)


def _plan(made: Planned, answers: tuple[str, ...], opposed: Opposed | None, left: list[str]) -> Made:
    from hansproof.audit.notation import csv_text
    from hansproof.audit.report.comparison_page import render_plan, show_plan
    from hansproof.audit.result.record import json_bytes

    read = {} if opposed is None else {"read": [joined.read for joined in opposed.joined]}
    return Made(
        partial(show_plan, made),
        {
            "json": lambda: json_bytes(made.record() | read),
            "csv": lambda: csv_text(made.table()),
            "html": lambda: render_plan(made, answers, left),
        },
        left,
    )


def _left(opposed: Opposed) -> list[str]:
    """What the numbers rest on, and what became of replies that are not used."""
    from hansproof.audit.report.study_reading import joined_notes

    # Both sides are answers to the same items.
    notes = list(dict.fromkeys(note for joined in opposed.joined for note in joined_notes(joined.read)))
    if opposed.identical:
        notes.insert(0, "all replies of A and B are identical, letter by letter: is one a copy of the other?")
    if opposed.others:
        every = opposed.others + sum(joined.read.replies for joined in opposed.joined)
        notes.append(f"{opposed.others:,} of {every:,} replies are of models, styles or runs that are not compared")
    return notes
