"""What was read, with key figures and what was left out; accuracy by model and subset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hansproof.audit import notation
from hansproof.audit.harnesses.reply import EMPTY_REPLIES
from hansproof.audit.models.study import Accuracy, Answered, PageContents, SeriesAccount
from hansproof.audit.replies.joining import Account, Left
from hansproof.audit.report import terms
from hansproof.audit.report.document import (
    SHARES,
    Cell,
    Column,
    KeyFigure,
    ReportTable,
    between,
    captioned,
    drawn,
    per_cent,
    tabulated,
)
from hansproof.audit.report.study_scores import by_id_notes, missing_note, much_unclear

__all__ = ["unused"]

_SHOWN = 5


def figures(findings: PageContents) -> list[KeyFigure]:
    """Models, benchmarks, items and answers in numbers."""
    every = [each for part in findings.answered for each in part.series]
    series = list(dict.fromkeys((each.model, each.style, each.run) for each in every))
    models, styles, runs = ({names[place] for names in series} for place in range(3))
    more = [notation.things(len(names), word) for names, word in ((styles, "style"), (runs, "run")) if len(names) > 1]
    given = sum(
        part.read.replies - part.read.unmatched.count - part.read.doubled.count - part.read.empty
        for part in findings.answered
    )
    missing = sum(each.missing for each in every)
    unclear = sum(each.unclear for each in every)
    of = [KeyFigure("Models", notation.count(len(models)), ", ".join(more) if more else "one style, one run")]
    if findings.reliance and findings.reliance.benchmarks:
        audited = findings.reliance.benchmarks
        shortcuts = sum(part.shortcut for part in audited)
        of.append(KeyFigure("Benchmarks", notation.count(len(audited)), f"{shortcuts} with a shortcut"))
    items = sum(part.items for part in findings.answered)
    kinds = {part.judged for part in findings.answered}
    judges = "our reading of the reply" if kinds == {"reply"} else "the verdicts of the harness"
    going = f"right and wrong by {judges}" if findings.right else "no answer to them is right or wrong"
    of.append(KeyFigure("Items", notation.count(items), going))
    skipped = sum(each.skipped for each in every)
    note = f"{unclear:,} unclear, {missing:,} missing; both count as wrong"
    if skipped:
        note = f"{unclear:,} unclear, which are wrong; {skipped:,} missing, which are left out"
    of.append(KeyFigure("Answers", notation.count(given), note))
    return of


def read_table(part: Answered, of: str = "") -> ReportTable:
    """A row per model, style and run: what it was asked, and what became of its answers."""
    series, number = part.series, notation.count
    families = any(each.family not in ("", each.model) for each in series)
    verdicts = any(each.verdicts for each in series)
    columns: list[tuple[bool, Column[SeriesAccount]]] = [
        (families, Column("family", lambda each: each.family, holds="words")),
        (True, Column("asked", lambda each: number(each.asked))),
        (True, Column("right", lambda each: number(each.right))),
        (True, Column("wrong", lambda each: number(each.wrong))),
        (True, Column("unclear", lambda each: number(each.unclear))),
        (True, Column("missing", lambda each: number(each.missing))),
        (any(each.skipped for each in series), Column("left out", lambda each: number(each.skipped))),
        (any(each.not_applicable for each in series),
         Column("nothing is right", lambda each: number(each.not_applicable))),
        (True, Column("not asked", lambda each: number(sum(each.not_asked.values())))),
        (verdicts, Column("agrees with the harness", _agrees)),
        (verdicts, Column("kappa", lambda each: notation.kappa(each.kappa) if each.verdicts else "")),
    ]  # fmt: skip
    shown = [column for wanted, column in columns if wanted]
    named = [(each.title, each) for each in series]
    return tabulated(captioned("What became of the answers", of), "model", shown, named)


def _agrees(series: SeriesAccount) -> str:
    return f"{series.agreed:,} of {series.verdicts:,}" if series.verdicts else ""


def missing_notes(part: Answered) -> list[str]:
    """How many items have a reply, a sentence for all models of which it is the same."""
    said = notation.gathered(
        (
            missing_note(
                each.asked, each.missing, each.skipped, right=each.not_applicable < each.asked, judged=part.judged
            ),
            each.title,
        )
        for each in part.series
    )
    return [f"{notation.first_of(of, _SHOWN)}: {note}" for note, of in said.items() if note]


def unused(read: Account, *, alone: bool = True) -> list[tuple[str, Left]]:
    """What of the replies could not be used, or is to be known of them, each with the first of them; with other sources
    (not `alone`), replies to those are none of this one's business."""
    kinds = [
        (read.unmatched if alone else Left(), "belong to no item and are left out"),
        (
            read.undecided,
            "have a mark of a harness that is neither right nor wrong, and are in no accuracy by its verdicts",
        ),
        (read.doubled, "are given again for the same item, model, style and run; the first one counts"),
        (Left(count=read.empty), EMPTY_REPLIES),
        (Left(count=read.unjudged), "have no verdict of a harness and count as missing"),
        (
            Left(count=read.ungraded),
            "have no gold answer, and are right or wrong by the harness alone: --judged harness",
        ),
        (Left(count=read.unconfirmed), "found their item by id alone: their prompt is not recognised as its"),
    ]
    return _said(read, kinds)


def _said(read: Account, kinds: Sequence[tuple[Left, str]]) -> list[tuple[str, Left]]:
    every = notation.things(read.replies, "reply", "replies")
    return [(f"{left.count:,} of {every} {what}", left) for left, what in kinds if left.count]


def left_out(part: Answered, alone: bool) -> list[tuple[str, list[str]]]:
    """A sentence on each kind of replies that are to be told apart, with the first of them."""
    kinds = (
        (part.read.disagreements, "are right by our reading and wrong by the harness, or the other way round"),
        (part.read.unclear, "are unclear, which is wrong"),
    )
    said = [*unused(part.read, alone=alone), *_said(part.read, kinds)]
    return [
        *((f"{sentence}.", [*map(str, left.first[:_SHOWN])]) for sentence, left in said),
        *((f"{note}.", []) for note in by_id_notes(part.read.by_id)),
    ]


LEGEND: Final = tuple((f"a{place}", f"{10 * place}–{10 * place + 10} %") for place in range(10))
"""Shades of the map, from none right to all right: blue, because those of a kappa say that something is wrong."""


def accuracy_map(part: Answered, of: str = "") -> ReportTable:
    """Models by subsets, all items first; each share with its interval and its number of items."""

    def shaded(subset: str) -> Column[SeriesAccount]:
        def cell(each: SeriesAccount) -> Cell:
            known = {accuracy.subset: accuracy for accuracy in each.accuracies}
            return _shaded(each, subset, known.get(subset))

        return Column(_name(subset), cell, is_name=True)

    named = [(each.title, each) for each in part.series]
    columns = [*map(shaded, _subsets(part))]
    return tabulated(captioned("Right answers in per cent", of), "model", columns, named, css="map shares")


def accuracy_table(part: Answered, of: str = "") -> ReportTable:
    """A row per subset and model with the same numbers, chance, and a drawing."""
    every = [accuracy for each in part.series for accuracy in each.accuracies]
    lacking, vague = any(accuracy.missing for accuracy in every), any(map(much_unclear, every))
    columns: list[Column[Accuracy]] = [
        Column(terms.RIGHT, lambda each: per_cent(each.share)),
        Column("95 % interval", lambda each: Cell(between(each.low, each.high), "nowrap")),
        Column(terms.SE, lambda each: per_cent(each.se)),
        *([Column(terms.REPLIED, _replied)] if lacking else []),
        *([Column(terms.CLEAR, _clear)] if vague else []),
        Column(terms.CHANCE, lambda each: per_cent(each.chance)),
        Column("right items", lambda each: notation.count(each.right)),
        Column(terms.ITEMS, lambda each: notation.count(each.items)),
        *([Column(terms.MISSING, _missing)] if lacking else []),
        Column("right in %", lambda each: drawn(SHARES, each.share, each.low, each.high, each.chance)),
    ]
    table = tabulated(captioned("Right answers, with intervals", of), "subset, model", columns, [], scale=SHARES)
    subsets = _subsets(part)
    for subset in subsets:
        if len(subsets) > 1:
            table.rows.append([Cell(_name(subset))])
        for each in part.series:
            for accuracy in each.accuracies:
                if accuracy.subset == subset:
                    table.row(each.title, *(column.made(accuracy) for column in columns))
            if subset in each.no_reply:
                table.row(each.title, notation.NO_REPLY, *[""] * (len(columns) - 2), Cell("", "draw"))
    return table


def _replied(accuracy: Accuracy) -> str:
    return per_cent(accuracy.share_replied)


def _clear(accuracy: Accuracy) -> str:
    clear = accuracy.items - accuracy.missing - accuracy.unclear
    return per_cent(accuracy.right / clear if clear else None)


def _missing(accuracy: Accuracy) -> str:
    return notation.count(accuracy.missing)


def _subsets(part: Answered) -> list[str]:
    """All items first, then the subsets in which anything is right, or could be if it had a reply."""
    known = {accuracy.subset for each in part.series for accuracy in each.accuracies}
    known |= {subset for each in part.series for subset in each.no_reply}
    return ["", *(subset for subset in part.subsets if subset in known and subset)] if "" in known else []


def _name(subset: str) -> str:
    return subset or "all items"


def _shaded(series: SeriesAccount, subset: str, accuracy: Accuracy | None) -> Cell:
    if accuracy is None:
        if subset in series.no_reply:
            return Cell(notation.NO_REPLY, "cell hx", f"to {notation.things(series.no_reply[subset], 'item')}")
        return Cell("not asked" if subset in series.not_asked else "–", "cell hx")
    interval = between(accuracy.low, accuracy.high)
    missing = f", {accuracy.missing:,} missing" if accuracy.missing else ""
    below = f"{interval} of {accuracy.items:,}{missing}".strip()
    return Cell(per_cent(accuracy.share), f"cell a{min(int(10 * accuracy.share), 9)}", below)
