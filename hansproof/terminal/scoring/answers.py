"""What is said of answers as a whole: agreement with a harness, what is missing, and what was not used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from audit.notation import NAMELESS

if TYPE_CHECKING:
    from audit.answers.joining import Joined
    from audit.answers.judging.judged import Judged
    from audit.answers.left import Left
    from audit.responses.lines import Line
    from audit.responses.scoring import Report

__all__ = ["harness_note", "joined_notes", "left_note", "notes_of_all", "series_notes"]

_UNCLEAR = 0.1
"""Share of unclear replies above which a note says what share of the others is right."""
_SHOWN = 3


def harness_note(report: Report) -> str:
    """How far our reading agrees with the harness that ran the model; empty where it left no verdicts."""
    from audit.answers.judging.odds import REMEDY, is_poor

    agreed = report.harness
    if agreed is None:
        return ""
    kappa = f"undefined ({agreed.reason})" if isnan(agreed.kappa) else f"{agreed.kappa:.3f}"
    return (
        f"harness: of {agreed.replies:,} replies with its verdict, {agreed.both:,} are right by our reading and by the "
        f"harness, {agreed.first_only:,} by our reading only, {agreed.second_only:,} by the harness only, "
        f"{agreed.neither:,} by neither; kappa {kappa}{f': {REMEDY}' if is_poor(agreed) else ''}"
    )


def series_notes(report: Report, judged: Judged = "reply") -> list[str]:
    """What a model was not asked, how many of its replies (or the verdicts on them) are missing, and where its standard
    error is much smaller than its interval; without its name."""
    from audit.study.words import cancelling_note, missing_note

    every, notes = report.lines[0], []
    if note := missing_note(every.items, every.missing, report.skipped, right=every.right is not None, judged=judged):
        notes.append(note)
    if note := cancelling_note(report):
        notes.append(note)
    if report.not_asked:
        asked = Counter(str(outcome.item.metadata["subset"]) for outcome in report.outcomes)
        names = [_lacking(name, count, asked[name]) for name, count in report.not_asked.items()]
        notes.append(f"not asked, and in no number: {_some(names)}")
    return notes


def _lacking(subset: str, count: int, asked: int) -> str:
    """The items of a subset that were not asked, beside those that were."""
    if asked:
        return f"{count:,} of {count + asked:,} items{f' of {subset}' if subset else ''}, which its log does not hold"
    return f"{subset or 'the other subset'} ({count:,} items)"


def notes_of_all(reports: Sequence[Report], joined: Joined | None, judged: Judged = "reply") -> list[str]:
    """What is said of all answers, and of single models: each note once, with the models that it is about."""
    notes = joined_notes(joined, reports) if joined else []
    said: dict[str, list[str]] = {}
    for report in reports:
        for note in series_notes(report, judged):
            said.setdefault(note, []).append(report.title)
    for note, titles in said.items():
        named = [title for title in titles if title]
        notes.append(f"model{'s' if len(named) > 1 else ''} {_some(named)}: {note}" if named else note)
    return notes


def joined_notes(joined: Joined, reports: Sequence[Report] = ()) -> list[str]:
    """What the numbers rest on, and what could not be used of the answers, with the first places; with `reports` also
    the models of which much is unclear."""
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
            joined.undecided,
            "have a mark of a harness that is neither right nor wrong, and are in no accuracy by its verdicts",
            every,
        ),
        *_unclear(joined, reports),
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
    return [f"{left.count:,} of {every:,} replies {what}: {_first(left)}"]


def _first(left: Left) -> str:
    more = f"; and {left.count - _SHOWN:,} more" if left.count > _SHOWN else ""
    return "; ".join(map(str, left.first[:_SHOWN])) + more


def _unclear(joined: Joined, reports: Sequence[Report]) -> list[str]:
    """How many replies are unclear, of which models more than a few, and what share of their clear ones is right."""
    lines = [(report.title, report.lines[0]) for report in reports]
    count = sum(line.unclear for _, line in lines) if lines else joined.unclear.count
    if not count:
        return []
    # Where no answer is right, none is wrong either, and none is listed.
    note = f"{count:,} of {joined.replies:,} replies are unclear{', which is wrong' * bool(joined.unclear.count)}"
    many = [(title, line) for title, line in lines if line.unclear > _UNCLEAR * line.items]
    many.sort(key=lambda named: -named[1].unclear)  # equal counts stay in order
    if len(lines) == 1:
        note += "".join(f"; {said}" for _, line in many if (said := _clear_ones(line, "the")))
    elif many:
        whose = [f"{line.unclear:,} of {line.items - line.missing:,} of {title or NAMELESS}{_clear_ones(line, 'its')}"
                 for title, line in many[:_SHOWN]]  # fmt: skip
        whose += [f"more than a tenth of {len(many) - _SHOWN:,} models more"] if len(many) > _SHOWN else []
        note += f": {'; '.join(whose)}"
    return [f"{note}. The first: {_first(joined.unclear)}" if joined.unclear.count else note]


def _clear_ones(line: Line, whose: str) -> str:
    """What share of the clear replies is right; empty where there are none, or where nothing is right."""
    clear = line.items - line.missing - line.unclear
    if not clear or line.right is None:
        return ""
    right = f"of {whose} {clear:,} clear ones {100 * line.right.hits / clear:.1f} % are right"
    return f" ({right})" if whose == "its" else right


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
