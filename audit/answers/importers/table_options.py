"""The options of the items in a table of answers, in a column of lists or a column for each; and what is a gold."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from audit.formats.table import Table, as_name, bare, cell, is_blank
from audit.harnesses.log_values import as_golds, as_options, as_verdict
from audit.reading.guesses import Names, guess_choices
from audit.reading.options import decide_golds, given_in

__all__ = ["holds_golds", "options_of_rows"]

Options = tuple[tuple[str, ...], tuple[str, ...]]
"""The options of a row, and the right ones; none where there are none, or where the gold names none of them."""


def options_of_rows(table: Table, roles: Mapping[str, str], taken: Collection[str]) -> list[Options] | None:
    """The options of every row, and its golds as texts of them; None where less than half of the rows have options.

    `roles` are the columns of the table by their roles, `taken` all that hold something else than options.
    """
    gold = roles.get("gold", "")
    named = roles.get("choices")
    columns = (named,) if named else guess_choices(Names(table), gold)
    given = None if {*columns} & {*taken} else given_in(table.rows, columns)
    if given is None:
        return None
    answers = [as_golds(cell(row.values, gold)) if gold else () for row in table.rows]
    golds = decide_golds([own[0] if len(own) == 1 else "" for own in answers], given)
    made = []
    for own, options, place in zip(answers, given, golds.index, strict=True):
        texts = as_options(list(options.texts))
        right = (texts[place],) if texts and 0 <= place < len(texts) else own
        made.append((texts, right))
    return made


def holds_golds(table: Table, column: str) -> bool:
    """Whether a column that is called like a verdict (`correct`) holds gold answers: texts, no numbers, of which most
    are neither right nor wrong."""
    values = [value for row in table.rows if not is_blank(value := bare(cell(row.values, column)))]
    texts = [value for value in values if isinstance(value, str) and as_name(value) is not None and not _number(value)]
    return bool(values) and len(texts) == len(values) > 2 * sum(as_verdict(text) is not None for text in texts)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
