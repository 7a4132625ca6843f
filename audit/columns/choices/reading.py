"""The options of every item, from columns of their own or from the prompts; and what makes an item unusable."""

from __future__ import annotations

from collections.abc import Sequence

from audit.columns.choices.given import NOTHING, Given, column_marks, from_cell, from_columns
from audit.columns.choices.golds import Golds, decide_golds, folded
from audit.columns.choices.options import MOST, Options
from audit.columns.choices.printed import Printed, mark_of, printed_options
from audit.columns.kind import open_ended
from audit.formats.table import Row, cell

__all__ = ["given_in", "options_of"]

_PRINTED = 0.5
"""Least share of the prompts that must print options for them to count."""


def given_in(rows: Sequence[Row], columns: Sequence[str]) -> list[Given] | None:
    """The options of each row, in one column or several; None unless more than half of the rows have at least two."""
    if not columns:
        return None
    if len(columns) == 1:
        given = [from_cell(cell(row.values, columns[0])) for row in rows]
    else:
        marks = column_marks(columns)
        given = [from_columns(row.values, columns, marks) for row in rows]
    return given if 2 * sum(len(item.texts) > 1 for item in given) > len(given) else None


def options_of(
    prompts: Sequence[str], answers: Sequence[str], given: Sequence[Given] | None, columns: Sequence[str], answer: str
) -> Options | None:
    """The options of N items; None where there are none.

    `given` are those of `columns`, None if there are no such columns; `answer` is the column of the answers. Where one
    of several columns holds the gold itself, their order means nothing.
    """
    if given is not None:
        printed = [_repeated(prompt, item) for prompt, item in zip(prompts, given)]
        named = ", ".join(repr(column) for column in columns)
        where = f"column{'s' if len(columns) > 1 else ''} {named}"
        return _options(prompts, answers, given, printed, where, answer not in columns or len(columns) == 1)
    return _in_prompts(prompts, answers)


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
    options = _options(prompts, answers, given, printed, "printed in the prompt", True)
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
) -> Options:
    golds = decide_golds(answers, given)
    faults = [_fault(item, gold, golds) for item, gold in zip(given, golds.index)]
    return Options(
        texts=[list(item.texts) for item in given],
        gold=[-1 if fault else gold for fault, gold in zip(faults, golds.index)],
        questions=[prompt if entry is None else entry.question for prompt, entry in zip(prompts, printed)],
        faults=faults,
        how=f"{where}; {golds.how}",
        ordered=ordered,
        refusal=golds.refusal or _unclear(printed, given, where),
    )


def _unclear(printed: Sequence[Printed | None], given: Sequence[Given], where: str) -> str:
    """A refusal where the last option runs into the question: options that open the prompt, all on one line."""
    if where != "printed in the prompt":
        return ""
    run_on = sum(entry is not None and entry.first and not entry.own_lines for entry in printed)
    if 2 * run_on <= len(given):
        return ""
    return (
        "The options stand on one line before the question, so nobody can tell where the last one ends: put each on a "
        "line of its own, or name columns with --choices."
    )


def _fault(item: Given, gold: int, golds: Golds) -> str:
    """Why an item cannot be used, in a few words; empty if it can."""
    if len(item.texts) < 2:
        return "fewer than two options"
    if len(item.texts) > MOST:
        return f"more than {MOST} options"
    if not all(item.texts):
        return "an option is empty"
    if len({folded(text) for text in item.texts}) < len(item.texts):
        return "two options are equal"
    return "the gold is none of the options" if gold < 0 and not golds.refusal else ""
