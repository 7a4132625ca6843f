"""What was read of answers and what became of it, in numbers and sentences; and accuracy by model and subset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from hansproof.audit import notation
from hansproof.audit.harnesses.reply import EMPTY_REPLIES
from hansproof.audit.models.scores import Report
from hansproof.audit.models.study import Accuracy, Answered, PageContents, SeriesAccount
from hansproof.audit.notation import first_of, things
from hansproof.audit.replies.arms import SEPARATOR
from hansproof.audit.replies.joining import Account, Joined, Left
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.report import terms, words
from hansproof.audit.report.document import (
    Cell,
    Column,
    Fold,
    KeyFigure,
    Note,
    Part,
    ReportTable,
    Section,
    between,
    captioned,
    listed,
    per_cent,
    tabulated,
)
from hansproof.audit.report.study_differences import runs_table
from hansproof.audit.report.study_scores import cancelling_note, weakest_table

__all__ = [
    "accuracy_section",
    "by_id_notes",
    "figures",
    "joined_notes",
    "missing_notes",
    "notes_of_all",
    "read_section",
]

_SHOWN: Final = 5
"""Models that a note names."""


def figures(contents: PageContents) -> list[KeyFigure]:
    """Models, benchmarks, items and answers in numbers."""
    every = [each for part in contents.answered for each in part.series]
    series = list(dict.fromkeys((each.model, each.style, each.run) for each in every))
    models, styles, runs = ({names[place] for names in series} for place in range(3))
    more = [things(len(names), word) for names, word in ((styles, "style"), (runs, "run")) if len(names) > 1]
    of = [KeyFigure("Models", notation.count(len(models)), ", ".join(more) or "one style, one run")]
    if contents.reliance and contents.reliance.benchmarks:
        audited = contents.reliance.benchmarks
        shortcuts = sum(part.shortcut for part in audited)
        of.append(KeyFigure("Benchmarks", notation.count(len(audited)), f"{shortcuts} with a shortcut"))
    judges = "our reading of the reply"
    if any(part.judged == "harness" for part in contents.answered):
        judges = "the verdicts of the harness"
    going = f"right and wrong by {judges}" if contents.right else "no answer to them is right or wrong"
    of.append(KeyFigure("Items", notation.count(sum(part.items for part in contents.answered)), going))
    unclear, missing, skipped = (
        sum(numbers) for numbers in zip(*((each.unclear, each.missing, each.skipped) for each in every), strict=True)
    )
    note = f"{unclear:,} unclear, {missing:,} missing; both count as wrong"
    if skipped:
        note = f"{unclear:,} unclear, which are wrong; {skipped:,} missing, which are left out"
    elif contents.kind == "hypotheses":
        note = f"{unclear:,} unclear, which are wrong; {missing:,} missing, whose pairs are in no test"
    read = [part.read for part in contents.answered]
    given = sum(of.replies - of.unmatched.count - of.doubled.count - of.empty for of in read)
    return [*of, KeyFigure("Answers", notation.count(given), note)]


def read_section(contents: PageContents) -> Section:
    """The files, and what became of the answers to each source of items."""
    prose = words.SECTIONS["read"]
    files = listed(notation.last_part(file, 300) for file in contents.files)
    parts: list[Part] = [Fold(things(len(contents.files), "file"), files)]
    for part in contents.answered:
        of = contents.of(part)
        parts += [*([Note(of, "heading")] if of else []), Note(_about(part, of, contents.right)), _read_table(part, of)]
        # A pair without one of its replies is left out of a hypothesis: nothing is wrong for that.
        missing = [] if contents.kind == "hypotheses" else missing_notes(part)
        parts += listed([*missing, *joined_notes(part.read, alone=not of)])
    nothing = "" if contents.right else prose["nothing-right"]
    skips = prose["left-out"] if contents.skips else prose["pairs"] if contents.kind == "hypotheses" else ""
    return words.section("read", [*parts, Note(prose["asked"].format(nothing=nothing, skips=skips), "legend")])


def _about(part: Answered, of: str, right: bool) -> str:
    release = f" of {part.dataset} {part.version}" if part.version else ""
    subsets = f" in {things(len(part.subsets), 'subset')}" if len(part.subsets) > 1 else ""
    others = ", answers to other benchmarks among them" if of else ""
    said = (
        f"{things(part.items, 'item')}{release}{subsets}; {things(part.read.replies, 'reply', 'replies')} read{others}."
    )
    by = "our reading of each reply" if part.judged == "reply" else "the verdict of the harness in each log"
    return f"{said} Right and wrong go by {by}." if right else said


def _read_table(part: Answered, of: str) -> ReportTable:
    """A row per model, style and run: what it was asked, and what became of its answers."""
    series, number = part.series, notation.count
    verdicts = any(each.verdicts for each in series)
    columns: list[tuple[bool, Column[SeriesAccount]]] = [
        (any(each.family not in ("", each.model) for each in series),
         Column("family", lambda each: each.family, holds="words")),
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
    return tabulated(
        captioned("What became of the answers", of), "model", shown, [(each.title, each) for each in series]
    )


def _agrees(series: SeriesAccount) -> str:
    return f"{series.agreed:,} of {series.verdicts:,}" if series.verdicts else ""


def missing_note(items: int, missing: int, skipped: int, *, right: bool = True, judged: Judged = "reply") -> str:
    """How many of the asked `items` have a reply, or a verdict on it, and what becomes of the others; empty where all
    have one.

    `missing` of them count as wrong where an answer can be `right`; `skipped` further items are left out on request.
    """
    given = items - missing
    what = "verdict" if judged == "harness" else "reply"
    have = f"{given:,} of {items + skipped:,} items {'has' if given == 1 else 'have'} a {what}"
    if skipped:
        return f"{have}; the rest are left out (--skip-missing)"
    if not missing:
        return ""
    return f"{have}; " + (
        "the rest count as wrong: --skip-missing leaves them out" if right else "--skip-missing leaves the rest out"
    )


def missing_notes(part: Answered) -> list[str]:
    """How many items have a reply, a sentence for all models of which it is the same."""

    def note(each: SeriesAccount) -> str:
        right = each.not_applicable < each.asked
        return missing_note(each.asked, each.missing, each.skipped, right=right, judged=part.judged)

    said = notation.gathered((note(each), each.title) for each in part.series)
    return [f"{first_of(of, _SHOWN)}: {text}" for text, of in said.items() if text]


# What is said of answers as a whole: on pages, and at the end of what a command prints.


def notes_of_all(reports: Sequence[Report], joined: Joined, judged: Judged = "reply") -> list[str]:
    """What is said of all answers, and of single models: each note once, with the models that it is about."""
    notes = joined_notes(joined.read)
    if not joined.read.unclear.count and (vague := sum(report.lines[0].unclear for report in reports)):
        # Where no answer is right, none is wrong either, and none is listed.
        notes.append(f"{vague:,} of {things(joined.read.replies, 'reply', 'replies')} are unclear")
    if arms := [report.title for report in reports if SEPARATOR in report.style]:
        notes.append(
            f"{first_of(arms)}: these are replies to changed items; `hansproof analyse --by experiment` reads them"
        )
    said = notation.gathered((note, report.title) for report in reports for note in series_notes(report, judged))
    for note, titles in said.items():
        named = [title for title in titles if title]
        notes.append(f"model{'s' if len(named) > 1 else ''} {first_of(named)}: {note}" if named else note)
    return notes


def series_notes(report: Report, judged: Judged = "reply") -> list[str]:
    """What a model was not asked, how many of its replies (or the verdicts on them) are missing, and where its standard
    error is much smaller than its interval; without its name."""
    every = report.lines[0]
    missing = missing_note(
        every.items, every.missing, report.skipped, right=every.right is not None, judged=judged
    )  # fmt: skip
    notes = [*filter(None, [missing, cancelling_note(report)])]
    if report.not_asked:
        asked = Counter(str(outcome.item.metadata["subset"]) for outcome in report.outcomes)
        names = [_lacking(name, count, asked[name]) for name, count in report.not_asked.items()]
        notes.append(f"not asked, and in no number: {first_of(names)}")
    return notes


def _lacking(subset: str, count: int, asked: int) -> str:
    """The items of a subset that were not asked, beside those that were."""
    if asked:
        return f"{count:,} of {count + asked:,} items{f' of {subset}' if subset else ''}, which its log does not hold"
    return f"{subset or 'the other subset'} ({count:,} items)"


def joined_notes(joined: Account, *, alone: bool = True, read: bool = True) -> list[str]:
    """What the numbers rest on, and what could not be used of the answers, with the first places.

    With other sources of items (not `alone`), replies to those are none of this one's business. What the replies were
    `read` as is said, too: how many differ from their harness, and how many are unclear.
    """
    kinds = [
        (joined.unmatched if alone else Left(), "belong to no item and are left out"),
        (
            joined.undecided,
            "have a mark of a harness that is neither right nor wrong, and are in no accuracy by its verdicts",
        ),
        (joined.doubled, "are given again for the same item, model, style and run; the first one counts"),
        (Left(count=joined.empty), EMPTY_REPLIES),
        (Left(count=joined.unjudged), "have no verdict of a harness and count as missing"),
        (
            Left(count=joined.ungraded),
            "have no gold answer, and are right or wrong by the harness alone: --judged harness",
        ),
        (Left(count=joined.unconfirmed), "found their item by id alone: their prompt is not recognised as its"),
    ]
    every = things(joined.replies, "reply", "replies")
    said = [f"{left.count:,} of {every} {what}{_places(left)}" for left, what in kinds if left.count]
    if not read:
        return [*joined.about, *said]
    if joined.unclear.count:
        vague = f"{joined.unclear.count:,} of {every} are unclear, which counts as wrong. The first"
        said.append(f"{vague}{_places(joined.unclear)}")
    return [*joined.about, *said, *by_id_notes(joined.by_id), *_differing(joined)]


def _places(left: Left) -> str:
    return f": {first_of(list(map(str, left.first)), total=left.count)}" if left.first else ""


_TASKS: Final = 3
"""Names of tasks that a note lists."""


def by_id_notes(by_id: Mapping[str, int]) -> list[str]:
    """How many replies, by the task that they name, found their item by id alone (`Joined.by_id`)."""
    named = [f"{name!r} ({count:,})" for name, count in by_id.items() if name]
    notes = []
    if named:
        task = "task" if len(named) == 1 else "tasks"
        count = things(sum(by_id.values()) - by_id.get("", 0), "reply", "replies")
        notes.append(
            f"{count} of the {task} {first_of(named, _TASKS)} joined items that are called otherwise, by id "
            "alone: nothing confirms that these are the same items"
        )
    if "" in by_id:
        count = things(by_id[""], "reply", "replies")
        notes.append(
            f"{count} joined by id alone, and the ids are mere numbers: nothing confirms that these are the same "
            "items; prompts beside the replies would"
        )
    return notes


def _differing(joined: Account) -> list[str]:
    """How many replies we and the harness judge differently, and why, the commonest reason first."""
    count, causes = joined.disagreements.count, joined.disagreements.causes
    if not count:
        return []
    # Equal counts stay in order of first occurrence.
    why = "; ".join(f"{many:,}: {reason}" for reason, many in sorted(causes.items(), key=lambda pair: -pair[1]))
    first = joined.disagreements.first[0]
    return [f"of {joined.replies:,} replies, we and the harness judge {count:,} differently. {why}. The first: {first}"]


SHADES: Final = tuple(((f"a{place}",), f"{10 * place}–{10 * place + 10} %") for place in range(10))
"""Shades of the map, from none right to all right: blue, because those of a kappa say that something is wrong."""


def accuracy_section(contents: PageContents) -> Section:
    """The weakest parts and the means over runs, then a map of models by subsets for each source of items."""
    first = [weakest_table(contents.reports), runs_table(contents.over_runs, contents.reports)]
    asked = [part for part in contents.answered if any(each.accuracies or each.no_reply for each in part.series)]
    maps = [_map(part, contents.of(part)) for part in asked]
    for last in maps[-1:]:
        last.shades = SHADES
    none = words.SECTIONS["accuracy"]["none"]
    behaviour = [Note(f"{captioned(none, contents.of(part))}.") for part in contents.answered if part not in asked]
    parts: list[Part] = [*filter(None, first), *maps, *behaviour]
    if not contents.right:  # then there is nothing to explain
        return Section(words.SECTIONS["accuracy"]["heading"], "accuracy", parts)
    return words.section("accuracy", parts)


def _map(part: Answered, of: str) -> ReportTable:
    """Models by subsets, all items first, and chance in the last row; each share with its interval and its items."""
    known = {accuracy.subset: accuracy.chance for each in part.series for accuracy in each.accuracies}
    subsets = ["", *(subset for subset in part.subsets if subset and (subset in known or _unanswered(part, subset)))]

    def shaded(subset: str) -> Column[SeriesAccount]:
        def cell(each: SeriesAccount) -> Cell:
            own = {accuracy.subset: accuracy for accuracy in each.accuracies}
            return _shaded(each, subset, own.get(subset))

        return Column(subset or "all items", cell, is_name=True)

    caption = captioned("Right answers in per cent", of)
    named = [(each.title, each) for each in part.series]
    table = tabulated(caption, "model", [*map(shaded, subsets)], named, css="map shares")
    if any(chance is not None for chance in known.values()):
        table.row(terms.CHANCE, *(Cell(per_cent(known.get(subset)), "cell hx") for subset in subsets))
    table.most = 0
    return table


def _unanswered(part: Answered, subset: str) -> bool:
    return any(subset in each.no_reply for each in part.series)


def _shaded(series: SeriesAccount, subset: str, accuracy: Accuracy | None) -> Cell:
    if accuracy is None:
        if subset in series.no_reply:
            return Cell(notation.NO_REPLY, "cell hx", f"to {things(series.no_reply[subset], 'item')}")
        return Cell("not asked" if subset in series.not_asked else "–", "cell hx")
    interval = between(accuracy.low, accuracy.high)
    missing = f", {accuracy.missing:,} missing" if accuracy.missing else ""
    below = f"{interval} of {accuracy.items:,}{missing}".strip()
    return Cell(per_cent(accuracy.share), f"cell a{min(int(10 * accuracy.share), 9)}", below)
