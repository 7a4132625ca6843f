"""What is said of answers as a whole: agreement with a harness, what is missing, and what was not used."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.answers.joining import Joined
    from audit.answers.judging.judged import Judged
    from audit.answers.left import Left
    from audit.responses.scoring import Report

__all__ = ["UNCLEAR", "harness_note", "joined_notes", "left_note", "series_notes"]

UNCLEAR = 0.1
"""Share of replies without a clear answer above which a note says so."""
_SHOWN = 3


def harness_note(report: Report) -> str:
    """How far our reading agrees with the harness that ran the model; empty where it left no verdicts."""
    agreed = report.harness
    if agreed is None:
        return ""
    kappa = f"undefined ({agreed.reason})" if isnan(agreed.kappa) else f"{agreed.kappa:.3f}"
    return (
        f"harness: of {agreed.replies:,} replies with its verdict, {agreed.both:,} are right by our reading and by the "
        f"harness, {agreed.first_only:,} by our reading only, {agreed.second_only:,} by the harness only, "
        f"{agreed.neither:,} by neither; kappa {kappa}"
    )


def series_notes(report: Report, judged: Judged = "reply") -> list[str]:
    """What a model was not asked, how many of its replies (or the verdicts on them) are missing, and where its standard
    error is much smaller than its interval."""
    from audit.study.words import cancelling_note, missing_note

    every, notes = report.lines[0], []
    whose = f"model {report.title}: " if report.title else ""
    replied = every.items - every.missing
    if note := missing_note(every.items, every.missing, report.skipped, right=every.right is not None, judged=judged):
        notes.append(f"{whose}{note}")
    if every.unparsed > UNCLEAR * every.items:
        clear = replied - every.unparsed
        right = (
            f"; of the {clear:,} clear ones {100 * every.right.hits / clear:.1f} % are right"
            if clear and every.right
            else ""
        )
        notes.append(f"{whose}{every.unparsed:,} of {replied:,} replies give no clear answer and count as wrong{right}")
    if note := cancelling_note(report):
        notes.append(f"{whose}{note}")
    if report.not_asked:
        names = [f"{name or 'the other subset'} ({count:,} items)" for name, count in report.not_asked.items()]
        notes.append(f"{whose}not asked, and in no number: {_some(names)}")
    return notes


def joined_notes(joined: Joined) -> list[str]:
    """What the numbers rest on, and what could not be used of the answers, with the first places."""
    from audit.answers.reply import EMPTY
    from audit.study.words import by_id_notes

    every = joined.replies
    few = (
        (joined.empty, EMPTY),
        (joined.unjudged, "have no verdict of a harness and count as missing"),
        (joined.ungraded, "have no gold answer, and are right or wrong by the harness alone: --judged harness"),
        (joined.unconfirmed, "found their item by id alone: their prompt is not recognised as its"),
    )
    return [
        *joined.about,
        *left_note(joined.unmatched, "belong to no item and are left out", every),
        *by_id_notes(joined.by_id),
        *_differing(joined),
        *left_note(
            joined.undecided, "have a verdict of a harness that is neither right nor wrong, and so have none", every
        ),
        *left_note(joined.unclear, "give no clear answer, which is wrong", every),
        *left_note(joined.doubled, "are given again for the same item, model and style; the first counts", every),
        *(f"{count:,} of {every:,} replies {what}" for count, what in few if count),
    ]


def _differing(joined: Joined) -> list[str]:
    """How many replies we and the harness judge differently, and why, the commonest reason first."""
    count = joined.disagreements.count
    if not count:
        return []
    # Equal counts stay in order of first occurrence.
    why = "; ".join(f"{many:,}: {reason}" for reason, many in sorted(joined.causes.items(), key=lambda pair: -pair[1]))
    first = joined.disagreements.first[0]
    return [f"of {joined.replies:,} replies, we and the harness judge {count:,} differently. {why}. The first: {first}"]


def left_note(left: Left, what: str, every: int) -> list[str]:
    """One line with the first places; none where nothing is left."""
    if not left.count:
        return []
    first = "; ".join(map(str, left.first[:_SHOWN]))
    more = f"; and {left.count - _SHOWN:,} more" if left.count > _SHOWN else ""
    return [f"{left.count:,} of {every:,} replies {what}: {first}{more}"]


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
