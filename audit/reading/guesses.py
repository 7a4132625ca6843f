"""Guesses at the role of each column: from its name, from parts of prompts, from values that repeat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any

from hansproof.audit.benchmark import PromptPart
from hansproof.audit.formats.column_names import (
    ANSWERS,
    CHOICES,
    EITHER,
    GRADES,
    GROUPS,
    IDS,
    INPUT_STEMS,
    LAYOUTS,
    NAMES,
    OPTION_STEMS,
    PROMPTS,
    WEAK_ANSWERS,
)
from hansproof.audit.formats.column_names import folded as column_name
from hansproof.audit.formats.table import MISSING, Row, Table, UnusableError, as_answers, as_name, as_prompt, cell
from hansproof.audit.harnesses.chats import CHATS, is_answered
from hansproof.audit.reading.given_options import from_cell, listed_in, mark_after
from hansproof.audit.reading.options import decide_golds, given_in
from hansproof.audit.reading.task_kind import open_ended

__all__ = [
    "Names",
    "doubt_of",
    "guess_answer",
    "guess_choices",
    "guess_group",
    "guess_id",
    "guess_prompt",
    "guess_sources",
    "joined_values",
    "part_columns",
    "parts_of",
    "sentences",
]

_SAMPLE = 50
"""Rows whose values are looked at to see whether a column suits a role."""


class Names:
    """The columns of a table by folded name, and tests of their first values.

    Columns that are `named` as something are only parts of layouts.
    """

    def __init__(self, table: Table, named: AbstractSet[str | None] = frozenset()) -> None:
        self.table = table
        self.folded: dict[str, str] = {}
        for column in table.columns:
            if (key := column_name(column)) not in self.folded or column == key:
                self.folded[key] = column
        for row in table.rows[:1]:
            for column, value in row.values.items():
                for inner in value if isinstance(value, dict) else ():
                    self.folded.setdefault(f"{column}.{inner}".casefold(), f"{column}.{inner}")
        self._all, self.free = self.folded, {*table.columns} - named
        self.folded = {name: column for name, column in self._all.items() if column not in named}

    def first(self, names: tuple[str, ...], test: Callable[[Any], bool] | None = None) -> str | None:
        """The first of `names` that is a column and, if `test` is given, has a value that passes it."""
        columns = filter(None, map(self.folded.get, names))
        return next((column for column in columns if test is None or self.passes(column, test)), None)

    def numbered(self) -> dict[str, tuple[str, ...]]:
        """Stem -> two or more columns that are called so and numbered from 0 or 1, or lettered from a, without a gap.

        `answer_` and `answer` are two stems, and that of the columns A and B is empty. Of several runs 0 comes first.
        """
        runs: dict[str, tuple[str, ...]] = {}
        for mark in ("a", "1", "0"):
            for name in self.folded:
                if not name.endswith(mark) or name[:-1][-1:].isdigit():
                    continue
                run, stem, last = [name], name[:-1], mark
                while (after := stem + (last := mark_after(last))) in self.folded:
                    run.append(after)
                if len(run) > 1 and (stem or mark == "a"):
                    runs[stem] = tuple(self.folded[each] for each in run)
        return runs

    def passes(self, column: str, test: Callable[[Any], bool]) -> bool:
        """True if any value in the first rows passes: one faulty row must not hide its column."""
        values = (cell(row.values, column) for row in islice(self.table.rows, _SAMPLE))
        return any(test(value) for value in values if value is not None and value is not MISSING)

    def varies(self, column: str) -> bool:
        """Whether a column says more than one thing: one instruction for all items is no part of any of them."""
        rows = self.table.rows
        return len(rows) < 2 or any(cell(row.values, column) != cell(rows[0].values, column) for row in rows)

    def layouts(self, gold: str | None = None) -> Iterator[tuple[tuple[str, ...], str | None, tuple[str, ...]]]:
        """(parts, gold, options) of the layouts whose columns are all there; with the gold `gold`, if one is given.

        The parts of a layout without a gold of its own are texts, and do not have the given one among them.
        """
        for parts, own, options in LAYOUTS:
            names = [*parts, *filter(None, [own]), *options]
            if not all(name in self._all for name in names):
                continue
            columns = tuple(self._all[name] for name in parts)
            if not own:
                own_text = parts[0] != "instruction" or self.varies(columns[0])
                if gold not in columns and own_text and all(self.passes(column, _is_text) for column in columns):
                    yield columns, None, ()
            elif (
                "prompt" not in self._all and gold in (None, self._all[own]) and self.passes(self._all[own], _is_label)
            ):
                yield columns, self._all[own], tuple(self._all[name] for name in options)


def _is_text(value: Any) -> bool:
    try:
        return bool(as_prompt(value))
    except UnusableError:
        return False


def sentences(value: Any) -> list[str]:
    """The texts of a few words in a value: itself, or members of a list."""
    members = value if isinstance(value, (list, tuple)) else [value]
    return [member for member in members if isinstance(member, str) and _words(member) >= WORDS]


def _is_label(value: Any) -> bool:
    return bool(_first_gold(value))


def _first_gold(value: Any) -> str:
    try:
        return as_answers(value)[0]
    except UnusableError:
        return ""


def guess_answer(known: Names, *, structured: bool = False) -> str | None:
    """The gold of a known layout, else the first usual name whose values are labels, else the first usual name.

    A weak name counts where there is no other. `structured` answers, of which only a part is audited, may also be
    objects. In an unsuitable column the rows themselves will say what is wrong.
    """
    for _, gold, _ in known.layouts():
        if gold in known.folded.values():
            return gold
    usual = known.first(ANSWERS, lambda value: _is_label(value) or (structured and isinstance(value, dict)))
    if usual is None or usual == known.folded.get("answers"):
        pointers = (column for name, column in known.folded.items() if _POINTER.fullmatch(name))
        usual = next((column for column in pointers if usual is None or _are_options(known, usual, column)), usual)
    # Options with scores say themselves which one is right: `target_scores`, `mc1_targets`.
    scored = usual or known.first(CHOICES, _has_gold) or known.first(("answers",), _has_flags)
    sure = scored or known.first(ANSWERS)
    return sure or next((known.folded[name] for name in WEAK_ANSWERS if _is_gold(known, name)), None)


def _is_gold(known: Names, name: str) -> bool:
    """Whether a column of a weak name has labels, or the responses to instructions."""
    column = known.folded.get(name)
    if column is None or name == "response":
        return column is not None and "instruction" in known.folded
    labels = [value for value in _values(known.table.rows, column) if value is not None]
    return bool(labels) and not open_ended(labels)


def doubt_of(known: Names, answer: str, taken: Container[str], *, guessed: bool) -> str:
    """Why the gold may be another column than `answer`, and what to name; empty where there is no doubt.

    It may be a column of grades, or the replies that one grades: so is a column `answer` where a model is named and no
    other column has the replies. If it was `guessed`, it may also have a rival: a column that is called like a gold,
    has no role and says something else. Two ways to write a gold, such as numbers and names of labels, determine each
    other in one direction at least.
    """
    grades = [column for name, column in known.folded.items() if name in GRADES and _are_grades(known, column)]
    chat = any(known.passes(column, is_answered) for column in known.table.columns)
    told = known.table.format == CHATS or (not chat and known.first(NAMES["model"]))
    reply = known.first(NAMES["reply"]) or known.first((EITHER,) if told else ())
    if grades and answer in (grades[0], reply) and (reply or chat):
        replies = "" if answer == grades[0] else f", or --answer {answer} (the replies)"
        return (
            f"column {grades[0]!r} seems to grade the replies of a model, which are no gold answers: name the column "
            f"of the gold answers with --answer, or audit --answer {grades[0]} (the grades){replies}"
        )
    golds = [column for name, column in known.folded.items() if name in ANSWERS]
    sure = not guessed or answer not in golds or any(answer == gold for _, gold, _ in known.layouts())
    own = _values(known.table.rows, answer)
    for other in [] if sure else golds:
        if other not in taken and other not in grades and known.passes(other, _is_label):
            pairs = {pair for pair in zip(own, _values(known.table.rows, other)) if None not in pair}
            if len(pairs) > max(len({of for of, _ in pairs}), len({of for _, of in pairs})):
                named = f"name it with --answer {answer} or --answer {other}"
                return f"cannot tell whether {answer!r} or {other!r} is the answer: {named}"
    return ""


def _are_grades(known: Names, column: str) -> bool:
    """Whether a column has only truth values or numbers."""
    values = {*_values(known.table.rows[:_SAMPLE], column)} - {None}
    return bool(values) and all(re.fullmatch(r"(?i)true|false|-?\d+(?:\.\d+)?", value or "") for value in values)


_POINTER = re.compile(
    r"(?:correct|right|gold|true|answer|label|target)(?:_?(?:answer|option|choice|label))?_?"
    r"(?:id|idx|index|key|letter|num|number|pos|position)"
)
"""Folded names of columns that say which option is right: `correct_answer_id`."""
_WRONG = re.compile(
    r"(?:(?:distractor|foil|decoy)s?|(?:incorrect|wrong|false)_?(?:answer|option|choice)s?)_?(?:\d*|[a-z])"
)
"""Folded names of columns with the wrong options, whose right one is the gold."""


_POINT, _DIFFERENT = 0.9, 10
"""Share of the golds that must point into columns, and how many different texts these must have each, on average."""

_TRIED = 1_000
"""Rows, evenly spaced, on which that is tried."""


def _numbered_options(known: Names, answer: str, prompt: Container[str | None]) -> tuple[str, ...]:
    """Numbered or lettered columns that are called options, else others of texts of which each is the gold somewhere.

    The gold is one option more where it is a text of its own: `answer` beside `alternative_1`.
    """
    rows = known.table.rows[:: max(1, len(known.table.rows) // _TRIED)]
    called = [*(stem + end for stem in OPTION_STEMS for end in ("", "_")), ""]
    runs = {
        stem: columns
        for stem, columns in known.numbered().items()
        if answer not in columns
        and (stem in called or not (stem.rstrip("_") in INPUT_STEMS or any(column in prompt for column in columns)))
    }
    golds = [as_name(cell(row.values, answer)) or "" for row in rows] if runs else []
    for stem, columns in [(stem, runs[stem]) for stem in (*called, *runs) if stem in runs]:
        given = given_in(rows, columns) or []
        read = decide_golds(golds, given)
        named = [place for place in read.index if place >= 0]
        if stem in called:
            return (answer, *columns) if given and open_ended(golds) and not named and not read.refusal else columns
        texts = {text for item in given for text in item.texts}
        differ = len(texts) > _DIFFERENT * len(columns) and any(" " in text for text in texts)
        if differ and len(named) > _POINT * len(rows) and len({*named}) == len(columns):
            return columns
    return ()


def _are_options(known: Names, column: str, answer: str) -> bool:
    """Whether the lists in a column are options: the golds point into them, and not always at the same place.

    Several spellings of one right answer would have the gold first.
    """
    rows = known.table.rows[:_SAMPLE]
    golds = [_first_gold(cell(row.values, answer)) for row in rows]
    places = decide_golds(golds, [from_cell(cell(row.values, column)) for row in rows]).index
    return 2 * sum(place >= 0 for place in places) > len(places) and len({*places} - {-1}) > 1


def _has_gold(value: Any) -> bool:
    return from_cell(value).gold >= 0


def _has_flags(value: Any) -> bool:
    """True for `[{"text": ..., "is_correct": ...}, ...]`, which no column of answers holds otherwise; not where each
    of them is right, and weighs more or less."""
    return isinstance(value, list) and _has_gold(value) and not _is_label(value)


def guess_prompt(
    known: Names, answer: str | None, taken: tuple[str, ...] = (), options: tuple[str, ...] = ()
) -> str | None:
    """`prompt`, else known parts as a template, else a usual name, else the only column of text without a role.

    `taken` are the columns that have a role; those of `options` are no part of it either. As a last resort, a usual
    name with values that cannot be used: the error about them will then be precise.
    """
    names = tuple(name for name in PROMPTS if known.folded.get(name) not in (None, answer, *options))
    names = tuple(name for name in names if known.varies(known.folded[name])) or names
    if "prompt" in names and (column := known.first(("prompt",), _is_text)) is not None:
        return column
    for parts, gold, _ in known.layouts(answer):
        if (gold is None or answer is not None) and not {*parts} & {*options}:
            return parts[0] if len(parts) == 1 else "\n".join(f"{{{column}}}" for column in parts)  # a line each
    if (column := known.first(names, _is_text)) is not None:
        return column
    # With a letter in it, if there are several: numbers in a CSV are text as well, but not prompts.
    others = [column for column in known.table.columns if column not in (answer, *taken, *options)]
    if len(others) > 1:
        others = [
            column
            for column in others
            if answer is not None
            and known.passes(column, lambda value: _is_text(value) and any(map(str.isalpha, as_prompt(value))))
        ]
    return others[0] if len(others) == 1 and known.passes(others[0], _is_text) else known.first(names)


def guess_group(known: Names) -> str | None:
    """A column with an unmistakable name that does group: some values repeat, but not all are equal."""
    for column in filter(None, map(known.folded.get, GROUPS)):
        values = _values(known.table.rows, column)
        present = [value for value in values if value is not None]
        if 1 < len(set(present)) < len(present) and 2 * len(present) > len(values):
            return column
    return None


def guess_id(known: Names, group: str | None) -> str | None:
    """A column with a usual name whose values are all present and all different."""
    for column in filter(None, map(known.folded.get, IDS)):
        values = _values(known.table.rows, column)
        if column != group and None not in values and len(set(values)) == len(values):
            return column
    return None


def guess_choices(known: Names, answer: str, prompt: Container[str | None] = ()) -> tuple[str, ...]:
    """The column that lists the options, or several columns with one option each.

    Columns of wrong options make the gold one of them, and golds that are names of columns point at them. Columns of
    the `prompt` are options only if they are called so.
    """
    for _, _, options in known.layouts(answer):
        if options:
            return options
    column = known.first(CHOICES)
    if column is not None and (column != answer or known.passes(column, _has_gold)):
        return (column,)
    if known.passes(answer, _has_flags):
        return (answer,)
    if columns := _numbered_options(known, answer, prompt):
        return columns
    if wrong := [column for name, column in known.folded.items() if _WRONG.fullmatch(name) and column != answer]:
        first = known.table.rows[:_SAMPLE]
        listed = [column for column in wrong if any(listed_in(column, cell(row.values, column)) for row in first)]
        # One column of texts that list several in a way of their own, such as `a, b, c`, is no option.
        return (answer, *wrong) if listed or len(wrong) > 1 or not wrong[0].casefold().endswith("s") else ()
    for name in ("answers", "entities"):
        listing = known.folded.get(name)
        if listing not in (None, answer) and _are_options(known, listing, answer):
            return (listing,)
    golds = set()
    for row in known.table.rows:
        golds.add(as_name(cell(row.values, answer)))
        if not golds <= known.free:
            return ()
    return tuple(column for column in known.table.columns if column in golds) if len(golds) > 1 else ()


# Items that share their source belong together, even if nobody declared it. A topic, a category or an annotator repeats
# as well, but joins items that share nothing else, so only columns that are called like a source count.

LEAST_SHARED = 0.2
"""Least share of the items that have their value in common with another item."""

LARGEST = 0.2
"""No value, and no chain of values of several columns, may join a larger share of the items."""

WORDS = 3
"""Least median number of words of a source; ids are accepted under the name of an id."""

# No evidence: it is part of the prompt with its claim, also where several claims share it (VitaminC, Climate-FEVER).
_SOURCES = frozenset(
    ["article", "background", "context", "contract", "conversation", "ctx", "dialog", "dialogue", "doc", "document",
     "facts", "narrative", "obs", "observation", "paragraph", "passage", "premise", "premises", "scenario",
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
        named_as_id = any(part in _IDS for part in _PART.findall(folded))
        if not named_as_id and sorted(map(_words, times))[len(times) // 2] < WORDS:
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


def part_columns(known: Names, template: Sequence[str], answer: str) -> tuple[str, ...]:
    """The columns of the parts: those of the template if it has several, else those of the first layout of parts.

    The usual pairs count even if only one of them, or a text made of them, is the prompt. Empty if there are none.
    """
    fields = tuple(dict.fromkeys(template))
    if len(fields) > 1:
        return fields
    return next((parts for parts, gold, _ in known.layouts(answer) if gold is None), ())


def parts_of(rows: Sequence[Row], columns: Sequence[str]) -> tuple[PromptPart, ...]:
    """One part per column, with the text of every row; a value that is no text is the empty text."""
    return tuple(PromptPart(column, [_text(row, column) for row in rows]) for column in columns)


def _text(row: Row, column: str) -> str:
    value = cell(row.values, column)
    if isinstance(value, (int, float)):
        value = as_name(value)
    try:
        return as_prompt(value).strip()
    except UnusableError:
        return ""
