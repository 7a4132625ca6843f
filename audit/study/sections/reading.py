"""What was read: key figures, a table of models for each source of answers, and what was left out of it."""

from __future__ import annotations

from typing import NamedTuple

from audit import notation
from audit.answers.account import UnusedReplies
from audit.harnesses.reply import EMPTY_REPLIES
from audit.report.page.keyfigures import KeyFigure
from audit.study.findings import Findings
from audit.study.records import Answered
from audit.study.sections.tables import Cell, Row, Table, captioned
from audit.study.words import by_id_notes, missing_note

__all__ = ["Left", "figures", "left_out", "missing_notes", "read_table"]

_SHOWN = 5


class Left(NamedTuple):
    """A sentence on replies that were not used, and the first of them."""

    sentence: str
    first: list[str]


def figures(findings: Findings) -> list[KeyFigure]:
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


def read_table(part: Answered, of: str = "") -> Table:
    """A row per model, style and run: what it was asked, and what became of its answers."""
    families = any(each.family not in ("", each.model) for each in part.series)
    verdicts = any(each.verdicts for each in part.series)
    skips = any(each.skipped for each in part.series)
    open_ = any(each.not_applicable for each in part.series)
    table = Table(
        captioned("What became of the answers", of),
        [
            "Model", *(["Family"] if families else []), "Asked", "Right", "Wrong", "Unclear", "Missing",
            *(["Left out"] if skips else []), *(["Nothing is right"] if open_ else []), "Not asked",
            *(["Agrees with the harness", "Kappa"] if verdicts else []),
        ],
    )  # fmt: skip
    for each in part.series:
        counts = (each.asked, each.right, each.wrong, each.unclear, each.missing)
        harness = [Cell(f"{each.agreed:,} of {each.verdicts:,}" if each.verdicts else "")]
        harness.append(Cell(notation.kappa(each.kappa) if each.verdicts else ""))
        table.rows.append(
            Row(
                each.title,
                [
                    *([Cell(each.family, "left")] if families else []),
                    *(Cell(notation.count(count)) for count in counts),
                    *([Cell(notation.count(each.skipped))] if skips else []),
                    *([Cell(notation.count(each.not_applicable))] if open_ else []),
                    Cell(notation.count(sum(each.not_asked.values()))),
                    *(harness if verdicts else []),
                ],
            )
        )
    return table


def missing_notes(part: Answered) -> list[str]:
    """How many items have a reply, a sentence for all models of which it is the same."""
    said: dict[str, list[str]] = {}
    for each in part.series:
        right = each.not_applicable < each.asked
        if note := missing_note(each.asked, each.missing, each.skipped, right=right, judged=part.judged):
            said.setdefault(note, []).append(each.title)
    shown = {note: ", ".join(of[:_SHOWN]) + (f" and {len(of) - _SHOWN:,} more" if len(of) > _SHOWN else "")
             for note, of in said.items()}  # fmt: skip
    return [f"{shown[note]}: {note}" for note in said]


def left_out(part: Answered, alone: bool) -> list[Left]:
    """What could not be used; with other sources (not `alone`), replies to those are none of this one's business."""
    read = part.read
    kinds: list[tuple[UnusedReplies, str]] = [
        (read.doubled, "are given again for the same item, model, style and run; the first one counts"),
        (read.disagreements, "are right by our reading and wrong by the harness, or the other way round"),
    ]
    if alone:
        kinds.insert(0, (read.unmatched, "belong to no item and are left out"))
    counts = (
        (read.empty, EMPTY_REPLIES),
        (read.unjudged, "have no verdict of a harness and count as missing"),
        (read.unconfirmed, "found their item by id alone: their prompt is not recognised as its"),
    )
    kinds.append((read.unclear, "are unclear, which is wrong"))
    kinds.append((read.undecided, "have a verdict of a harness that is neither right nor wrong, and so have none"))
    every = notation.things(read.replies, "reply", "replies")
    return [
        *(Left(f"{left.count:,} of {every} {what}.", _listed(left)) for left, what in kinds if left.count),
        *(Left(f"{count:,} of {every} {what}.", []) for count, what in counts if count),
        *(Left(f"{note}.", []) for note in by_id_notes(read.by_id)),
    ]


def _listed(left: UnusedReplies) -> list[str]:
    return [str(place) for place in left.first[:_SHOWN]]
