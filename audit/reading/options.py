"""The options of every item and which is gold, decided by the data as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hansproof.audit.benchmark import LONGEST, MOST, Options
from hansproof.audit.formats.table import MISSING, Row, UnusableError, as_name, cell, is_blank
from hansproof.audit.reading.given_options import (
    NOTHING,
    Given,
    Printed,
    column_marks,
    flags_of,
    from_cell,
    from_columns,
    mark_of,
    printed_options,
)
from hansproof.audit.reading.task_kind import open_ended

__all__ = ["decide_golds", "flagged", "folded", "given_in", "options_of", "scored", "unread"]

# Every reading is tried on every item, and the one that names an option of most items is taken. A reading that comes
# close and names other options makes the golds ambiguous: better no audit than one of the wrong golds.

_NAMED_MARK = re.compile(
    r"(?:option|choice|answer|ending|opt|op|sol|solution|hyp|hypothesis|candidate|alternative)[ _]?"
    r"(?:([a-z])|(\d{1,2}))\Z"
)
"""`option1`, `Choice B`: the gold as the name of a column or of an option."""

_READINGS: dict[str, tuple[str, Callable[[Given], list[str]]]] = {
    "mark": ("the gold is the letter or number that its options have in the source",
             lambda item: [folded(mark) for mark in item.marks]),
    "column": ("the gold is the name of the column of its option",
               lambda item: [folded(column) for column in item.columns]),
    "text": ("the gold is the text of an option", lambda item: [folded(text) for text in item.texts]),
    "letter": ("the gold is a letter: A is the first option",
               lambda item: [chr(ord("a") + place) for place in item.places]),
    "0": ("the gold is an index that starts from 0", lambda item: [str(place) for place in item.places]),
    "1": ("the gold is an index that starts from 1", lambda item: [str(place + 1) for place in item.places]),
}  # fmt: skip
"""In words, and what each calls the options of an item. From the most to the least explicit: a tie between readings
that agree goes to the first."""

_LEAST, _LEAST_SHARE = 2, 0.005
"""By so many items, and this share of all, the best reading must beat a reading that names other options."""


@dataclass(frozen=True)
class Golds:
    """The place of the gold among the options of each item, and what decided it."""

    index: list[int]
    """-1 where the answer names no option."""
    how: str
    refusal: str = ""
    """Why no reading could be chosen, as a sentence; empty if one was."""
    reading: str = ""
    """Which of `_READINGS` was chosen; empty if scores decided."""


def decide_golds(answers: Sequence[str], items: Sequence[Given]) -> Golds:
    """Read the gold of each item from its answer; `items` are the options of the same items."""
    if 2 * sum(item.gold >= 0 for item in items) > sum(bool(item.texts) for item in items):
        return Golds([item.gold for item in items], "the gold is the option with the highest score")
    named = {
        reading: [_place_of(answer, item, reading) for answer, item in zip(answers, items)] for reading in _READINGS
    }
    counts = {reading: sum(place >= 0 for place in places) for reading, places in named.items()}
    best = max(_READINGS, key=lambda reading: counts[reading])  # the first of equals
    how = _READINGS[best][0]
    margin = max(_LEAST, _LEAST_SHARE * len(items))
    for other, places in named.items():
        close = counts[best] - counts[other] < margin
        differ = sum(a >= 0 and b >= 0 and a != b for a, b in zip(named[best], places))
        own = best == "mark" and counts[best] >= counts[other] and other != "text"
        if close and 2 * differ > counts[best] and not own:
            return Golds(
                [-1] * len(items),
                how,
                f"The golds can be read in two ways that name different options: {how}, or {_READINGS[other][0]}. "
                "Write them as letters or as the texts of the options.",
                best,
            )
    return Golds(named[best], how, reading=best)


def _place_of(answer: str, item: Given, reading: str) -> int:
    """The place of the only option that the answer names in this reading; -1 where there is none."""
    names = _READINGS[reading][1](item)
    for form in _forms(answer, as_text=reading == "text"):
        if names.count(form) == 1:
            return names.index(form)
    return -1


def _forms(answer: str, *, as_text: bool) -> Iterator[str]:
    """What an answer may name an option by: `b. fish`, `fish` as a text; `option b`, `b`, or `1.0`, `1` as a mark."""
    whole = folded(answer)
    yield whole
    if as_text:
        head, _, rest = whole.partition(" ")
        if rest and mark_of(head) not in (None, head):
            yield rest
        return
    yield whole.removesuffix(".0")
    named = _NAMED_MARK.match(whole) if len(answer) < 20 else None
    if (mark := mark_of(answer) or (named and (named[1] or named[2]))) is not None:
        yield mark


def folded(text: str) -> str:
    """The key by which an answer is the text of an option: one case, single spaces."""
    return " ".join(text.casefold().split())


_PRINTED = 0.5
"""Least share of the prompts that must print options for them to count."""

_PRINTED_WHERE = "printed in the prompt"

_RUN_ON = (
    "The options stand on one line before the question, so nobody can tell where the last one ends: put each on a line "
    "of its own, or the question on a line below them, or name columns with --choices."
)

_SHOWN = 40
"""Characters shown of a value that is no list of options."""

_WITHIN = 0.9
"""Share of the answers within the values of a column from which on it holds their options."""


def given_in(rows: Sequence[Row], columns: Sequence[str]) -> list[Given] | None:
    """The options of each row, in one column or several; None unless more than half of the rows have at least two."""
    if not columns:
        return None
    given = _all_given(rows, columns)
    return given if 2 * sum(len(item.texts) > 1 for item in given) > len(given) else None


def _all_given(rows: Sequence[Row], columns: Sequence[str]) -> list[Given]:
    if len(columns) > 1:
        marks = column_marks(columns)
        return [from_columns(row.values, columns, marks) for row in rows]
    (column,) = columns
    head, dot, _ = column.rpartition(".")  # `choices.text` beside `choices.label`, as flattened records have them
    beside = f"{head}.label" if dot else ""
    given = []
    for row in rows:
        labels = cell(row.values, beside) if beside else MISSING
        given.append(from_cell(cell(row.values, column), None if labels is MISSING else labels))
    return given


def scored(value: Any) -> str:
    """The only option with the highest score. Raises UnusableError if the options have no scores, or share it."""
    item = from_cell(value)
    if item.gold < 0:
        raise UnusableError("no option has the highest score alone")
    return item.texts[item.gold]


def flagged(value: Any, row: Row, columns: Sequence[str]) -> str | None:
    """The text of the right option where the answer is a 0 or 1 for each of them: `[0, 0, 1, 0]`; else None.

    `columns` are those of the options. Raises UnusableError unless exactly one of them is right.
    """
    if not columns or (flags := flags_of(value)) is None:
        return None
    (item,) = _all_given([row], columns)
    if len(item.texts) != len(flags):
        return None
    if sum(flags) != 1:
        raise UnusableError("several options are right" if any(flags) else "no option is right")
    return item.texts[flags.index(1)]


def unread(rows: Sequence[Row], columns: Sequence[str], answers: Sequence[str]) -> Options | None:
    """A refusal where a column named like options holds what cannot be read, and answers point at it; else None.

    Such as `a; b; c`, or lists of lists, one for each of several questions about a text. Otherwise letters that mean
    another thing in every item would be audited as labels, and texts of options as open answers.
    """
    if len(columns) != 1:
        return None
    values = [as_name(value) if not is_blank(value := cell(row.values, columns[0])) else None for row in rows]
    texts = [value for value in values if value is not None]
    if 2 * len(texts) <= len(rows) or len(set(texts)) <= len(texts) / 2 or not any(" " in text for text in texts):
        return None
    within = sum(text is not None and answer in text != answer for text, answer in zip(values, answers, strict=True))
    if within < _WITHIN * len(rows) and not all(mark_of(answer) is not None for answer in answers):
        return None
    shown = texts[0] if len(texts[0]) <= _SHOWN else texts[0][:_SHOWN] + "…"
    return Options(
        [[] for _ in rows], [-1] * len(rows), [""] * len(rows), ["fewer than two options"] * len(rows), "",
        refusal=f"Column {columns[0]!r} seems to hold the options of each item, but its values are no lists of at "
        f"least two texts (the first is {shown!r}), and the answers are some of them, or point at them. Write each as "
        f"a list (JSON: [\"...\", \"...\"]), or one option per column, and name them with --choices; --task fixed "
        f"audits the answers as labels.",
    )  # fmt: skip


def options_of(
    prompts: Sequence[str],
    answers: Sequence[str],
    given: Sequence[Given] | None,
    columns: Sequence[str],
    answer: str,
    accepted: Sequence[Sequence[str]] | None = None,
) -> Options | None:
    """The options of N items; None where there are none.

    `given` are those of `columns`, None if there are no such columns; `answer` is the column of the answers. Where one
    of several columns holds the gold itself, their order means nothing. `accepted` are all right answers of each item.
    """
    if given is not None and _only_marks(prompts, given) and (options := _in_prompts(prompts, answers)) is not None:
        return options
    if given is not None:
        printed = [_repeated(prompt, item) for prompt, item in zip(prompts, given)]
        named = ", ".join(repr(column) for column in columns)
        where = f"column{'s' if len(columns) > 1 else ''} {named}"
        ordered = answer not in columns or len(columns) == 1
        return _options(prompts, answers, given, printed, where, ordered, accepted)
    return _in_prompts(prompts, answers)


def _only_marks(prompts: Sequence[str], given: Sequence[Given]) -> bool:
    """Whether the options of every item are letters or numbers, as in `["(a)", "(b)"]`, of what most prompts print."""
    marks = [tuple(mark_of(text) for text in item.texts) for item in given]
    if any(mark is None for own in marks for mark in own):
        return False
    printed = (printed_options(prompt) for prompt in prompts)
    same = sum(entry is not None and entry.marks == own for entry, own in zip(printed, marks))
    return same > _PRINTED * len(prompts)


def _in_prompts(prompts: Sequence[str], answers: Sequence[str]) -> Options | None:
    """Options printed in most prompts, among whose marks or texts most answers are."""
    marks = [mark_of(answer) for answer in answers]
    by_mark = all(mark is not None for mark in marks)
    if not by_mark and not open_ended(answers):
        return None  # the same few words throughout are labels
    printed = [printed_options(prompt, mark if by_mark else None) for prompt, mark in zip(prompts, marks)]
    if sum(entry is not None for entry in printed) <= _PRINTED * len(prompts):
        return None
    given = [NOTHING if entry is None else Given.of(entry.texts, entry.marks) for entry in printed]
    options = _options(prompts, answers, given, printed, _PRINTED_WHERE, True)
    matched = sum(place >= 0 for place in options.gold)
    return options if by_mark or 2 * matched > len(prompts) else None


def _repeated(prompt: str, item: Given) -> Printed | None:
    """Where the prompt prints the options of the item once more; None if it does not."""
    if len(item.texts) < 2 or not all(text in prompt for text in item.texts):
        return None
    entry = printed_options(prompt)
    own = [folded(text) for text in item.texts]
    return entry if entry is not None and [folded(text) for text in entry.texts] == own else None


def _options(
    prompts: Sequence[str],
    answers: Sequence[str],
    given: Sequence[Given],
    printed: Sequence[Printed | None],
    where: str,
    ordered: bool,
    accepted: Sequence[Sequence[str]] | None = None,
) -> Options:
    golds = decide_golds(answers, given)
    faults = [_fault(item, gold, golds) for item, gold in zip(given, golds.index)]
    for place, several in enumerate(accepted or ()):  # aliases that name no option count for nothing
        if golds.reading and not golds.refusal and not faults[place] and len(several) > 1:
            named = {_place_of(answer, given[place], golds.reading) for answer in several} - {-1}
            faults[place] = "several options are right" if len(named) > 1 else ""
    refusal = golds.refusal
    if where == _PRINTED_WHERE:
        run_on = [entry is not None and entry.run_on for entry in printed]
        faults = [
            fault or ("the last option and the question share a line" if on else "")
            for fault, on in zip(faults, run_on)
        ]
        refusal = refusal or (_RUN_ON if 2 * sum(run_on) > len(given) else "")
    places = {gold for fault, gold in zip(faults, golds.index) if not fault}
    if not golds.reading and places == {0}:  # scores name the gold, so a list that begins with it is no order
        ordered = False
    return Options(
        texts=[list(item.texts) for item in given],
        gold=[-1 if fault else gold for fault, gold in zip(faults, golds.index)],
        questions=[prompt if entry is None else entry.question for prompt, entry in zip(prompts, printed)],
        faults=faults,
        how=f"{where}; {golds.how}",
        ordered=ordered,
        refusal=refusal,
    )


def _fault(item: Given, gold: int, golds: Golds) -> str:
    """Why an item cannot be used, in a few words; empty if it can."""
    if len(item.texts) < 2:
        return "fewer than two options"
    if len(item.texts) > MOST:
        return f"more than {MOST} options"
    if not all(item.texts):
        return "an option is empty"
    if any(len(text) > LONGEST for text in item.texts):
        return f"an option has more than {LONGEST:,} characters"
    if len({folded(text) for text in item.texts}) < len(item.texts):
        return "two options are equal"
    return "the gold is none of the options" if gold < 0 and not golds.refusal else ""
