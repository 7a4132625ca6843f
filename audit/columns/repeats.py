"""Columns that name the source of an item (a premise, a passage, a context) and whose values repeat.

Items that share their source belong together, even if nobody declared it. Only columns that are called like a source
count: a topic, a category, a difficulty or an annotator repeats as well, but joins items that share nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence

from audit.columns.guesses import Names
from audit.formats.table import Row, as_name, cell

__all__ = ["LARGEST", "LEAST_SHARED", "guess_sources", "joined_values"]

LEAST_SHARED = 0.2
"""Least share of the items that have their value in common with another item."""

LARGEST = 0.2
"""No value, and no chain of values of several columns, may join a larger share of the items."""

WORDS = 3
"""Least median number of words of a source; ids are accepted under the name of an id."""

_SOURCES = frozenset(
    ["article", "background", "context", "contract", "conversation", "ctx", "dialog", "dialogue", "doc", "document",
     "evidence", "facts", "narrative", "obs", "observation", "paragraph", "passage", "premise", "premises", "scenario",
     "section", "sent", "sentence", "source", "story", "table", "text", "theory", "transcript", "vignette"]
)  # fmt: skip
_IDS = frozenset(["hash", "id", "idx", "index", "key", "no", "nr", "num", "number", "uid", "uuid"])
_NEUTRAL = frozenset(["a", "de", "en", "es", "fr", "full", "ja", "original", "the", "txt", "zh"])
_PART = re.compile(r"[a-z]+")

# The second of two sentences is what is asked about the first: a stock question, or a hypothesis that many share.
_SECOND = re.compile(r"(?:sent|sentence|text|obs|observation)_?(?:2|b)\Z")


def guess_sources(known: Names, taken: Container[str | None]) -> tuple[str, ...]:
    """Return the columns by whose values items belong together, in order; empty if there are none.

    `taken` are the columns that have another role. A column counts if it is called like a source, at least
    `LEAST_SHARED` of the items share their value with another item, and none joins more than `LARGEST` of the items.
    Further columns count as long as the groups of all of them together stay below that size.
    """
    rows = known.table.rows
    chosen: list[str] = []
    for folded, column in known.folded.items():
        if column in taken or not _is_named_as_source(folded):
            continue
        values = [value for value in _values(rows, column) if value is not None]
        times = Counter(values)
        shared = sum(count for count in times.values() if count > 1)
        if not values or shared < LEAST_SHARED * len(rows) or max(times.values()) > LARGEST * len(rows):
            continue
        if not _is_named_as_id(folded) and sorted(map(_words, times))[len(times) // 2] < WORDS:
            continue
        if max(Counter(joined_values(rows, [*chosen, column])).values()) <= LARGEST * len(rows):
            chosen.append(column)
    return tuple(chosen)


def joined_values(rows: Sequence[Row], columns: Sequence[str]) -> list[str]:
    """Return one name per row, equal for rows that a chain of equal values in any of the columns connects.

    The name is the smallest value in the chain; a row without values is named by its place. No rows give no names.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    names = [_values(rows, column) for column in columns]
    nodes: dict[tuple[int, str], int] = {}
    links = [
        (at, nodes.setdefault((column, value), len(rows) + len(nodes)))
        for column, values in enumerate(names)
        for at, value in enumerate(values)
        if value is not None
    ]
    size = len(rows) + len(nodes)
    starts, ends = [at for at, _ in links], [node for _, node in links]
    chains = connected_components(coo_array(([1] * len(links), (starts, ends)), shape=(size, size)), directed=False)[1]
    smallest: dict[int, str] = {}
    for (_, value), node in nodes.items():
        chain = int(chains[node])
        smallest[chain] = min(value, smallest.get(chain, value))
    return [smallest.get(int(chain), f"alone: {row.place}") for chain, row in zip(chains, rows)]


def _values(rows: Sequence[Row], column: str) -> list[str | None]:
    """The values of a column as texts, lists as JSON; None for a missing one."""
    return [as_name(cell(row.values, column)) for row in rows]


def _words(value: str) -> int:
    """Words of a text; in a script without spaces a character is half a word."""
    wide = sum("\u3040" <= character <= "\u9fff" for character in value)
    return len(value.split()) + wide // 2


def _is_named_as_source(folded: str) -> bool:
    """True for `premise`, `premise_1`, `context_id`, `source_text`; not for `source_language` or `text_category`."""
    parts = _PART.findall(folded)
    return (
        bool(parts)
        and any(part in _SOURCES for part in parts)
        and all(part in _SOURCES or part in _IDS or part in _NEUTRAL for part in parts)
        and not _SECOND.match(folded)
    )


def _is_named_as_id(folded: str) -> bool:
    return any(part in _IDS for part in _PART.findall(folded))
