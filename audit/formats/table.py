"""A table: rows with their places, the values in them, and one value of a row in its role. Every format makes one."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import msgspec

from hansproof.audit.benchmark import LeftOut
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.stream import Stream

__all__ = [
    "DEEPEST",
    "MISSING",
    "WHOLE",
    "Budget",
    "Row",
    "Sieve",
    "Table",
    "UnusableError",
    "as_answers",
    "as_name",
    "as_plain",
    "as_prompt",
    "bare",
    "cell",
    "check_sample",
    "check_values",
    "is_blank",
    "is_missing",
    "is_tied",
    "is_too_deep",
    "kind_of",
    "parted",
    "said_by_assistant",
    "turn_of",
]

DEEPEST = 50
"""How deeply lists and objects may be nested and still be read; chat messages with parts are 4 deep."""


class _Missing:
    """The type of `MISSING`."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""The value of a column that a row lacks, which is not the same as a column that holds null."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record of the source, and where it is."""

    place: str
    """`line 812` or `row 812`, counted from 1."""
    values: dict[str, Any]


@dataclass(frozen=True)
class Table:
    """All rows of one source. Reading them has succeeded; nothing else has been checked."""

    format: str
    """In words, for the report: `JSONL`."""
    rows: list[Row]
    columns: list[str]
    """Every column that occurs, in order of first appearance."""
    left_out: tuple[LeftOut, ...] = ()
    """Rows that could not be read."""
    notes: tuple[str, ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    """(role, column) pairs that the format itself fixes, as run logs do."""
    benchmark: str = ""
    """The name of the benchmark where the source states it, as run logs do."""
    sampled_from: int | None = None
    """How many rows were read, where a sample of them was kept; None where all were."""
    for_any: bool = True
    """Whether any benchmark may be written so; False for the form in which a few are released."""

    @classmethod
    def of(
        cls,
        format: str,
        rows: list[Row],
        left_out: Sequence[LeftOut] = (),
        *,
        defaults: Sequence[tuple[str, str]] = (),
        **more: Any,
    ) -> Table:
        """A table whose columns are the keys of its rows, in order of first appearance.

        Of `defaults` those are kept whose column at least half of the rows have, and a template.
        """
        columns: dict[str, None] = {}
        for row in rows:
            columns.update(dict.fromkeys(row.values))
        fixed = tuple(
            (role, column)
            for role, column in defaults
            if role == "template" or (column in columns and 2 * sum(column in row.values for row in rows) >= len(rows))
        )
        return cls(format, rows, list(columns), tuple(left_out), defaults=fixed, **more)


def cell(values: dict[str, Any], column: str) -> Any:
    """The value of `column`, which may be a dotted path into nested objects; MISSING where there is none."""
    if column in values:
        return values[column]
    if "." not in column:
        return MISSING
    value: Any = values
    for part in column.split("."):
        if not isinstance(value, dict) or part not in value:
            return MISSING
        value = value[part]
    return value


def as_plain(value: Any) -> str | None:
    """The canonical text of one plain value: `true`, `1`, `1.0`, text as it is. None for lists, objects and null."""
    value = bare(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (dict, list, tuple, set, bytes, bytearray)) or value is None:
        return None
    return None if (type(value).__str__, type(value).__repr__) == _WHERE else str(value)


def bare(value: Any) -> Any:
    """`value` as Python's own str, int, float, bool or list where it is a subclass of one, or NumPy's; else as it is.

    `numpy.str_` and members of a `StrEnum` pass for texts everywhere but where they are written.
    """
    if type(value) in _OWN:
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            return _COPIES[kind](value)
    if hasattr(value, "tolist") and isinstance(getattr(value, "ndim", None), int):
        return value.tolist()  # a list of what an array holds, one value of a scalar
    return value


_WHERE: tuple[Any, Any] = (object.__str__, object.__repr__)
"""What writes an object as its address in memory, which is no value."""
_OWN = frozenset((str, int, float, bool, type(None), list, dict))
_COPIES: dict[type, Callable[[Any], Any]] = {str: str.__str__, int: int.__int__, float: float.__float__}


def as_name(value: Any) -> str | None:
    """A group, split or id as text. None where there is none, or where it is nested more than `DEEPEST` deep.

    Objects and lists become their JSON.
    """
    if is_missing(value) or is_too_deep(value):
        return None
    text = as_plain(value)
    if text is None:
        text = msgspec.json.encode(value, order="deterministic", enc_hook=str).decode()
    return text.strip().encode("utf-8", "replace").decode() or None


def is_missing(value: Any) -> bool:
    """True for None, an absent column, NaN, and what pandas writes for a missing value."""
    if value is None or value is MISSING or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def is_blank(value: Any) -> bool:
    """True for a value that holds nothing: missing, white space, or an empty list or object."""
    return (
        is_missing(value)
        or (isinstance(value, (list, tuple, dict)) and not value)
        or (isinstance(value, str) and not value.strip())
    )


def is_too_deep(value: Any) -> bool:
    """True for lists and objects nested more than `DEEPEST` deep. It does not recurse, so any depth is safe."""
    level = [value] if isinstance(value, (list, tuple, dict)) else []
    for _ in range(DEEPEST):
        if not level:
            return False
        members = (nested.values() if isinstance(nested, dict) else nested for nested in level)
        level = [inner for many in members for inner in many if isinstance(inner, (list, tuple, dict))]
    return bool(level)


class UnusableError(Exception):
    """A value cannot play its role. Never leaves this package."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        """Why, in a few words: `empty prompt`."""
        self.detail = detail
        """What is peculiar to this value."""


def as_prompt(value: Any) -> str:
    """The text that a model is shown. Chat messages are joined by newlines and lose their roles.

    Raises UnusableError for a value that is empty, not text, or not valid Unicode.
    """
    _check_depth(value, "prompt")
    text = _joined(value)
    if text is None:
        if is_missing(value):
            raise UnusableError("no prompt")
        raise UnusableError(f"prompt is {_a(kind_of(value))}, not text")
    if not text.strip():
        raise UnusableError("empty prompt")
    _check_unicode(text, "prompt")
    return text


def as_answers(value: Any) -> tuple[str, ...]:
    """The acceptable gold answers as canonical texts, stripped and different, the one that stands first first.

    A list holds several of them, and so does an object of question answering: `{"text": [...]}` (SQuAD), `{"spans":
    [...]}` and `{"number": ..., "date": {...}, "spans": [...]}` (DROP), `{"value": ..., "aliases": [...]}` (TriviaQA).
    Of golds that have weights the heaviest comes first. True and false are lower case, and numbers are as written.
    Raises UnusableError for a value that is missing, empty, not finite or of another type.
    """
    _check_depth(value, "answer")
    if weighed := _weighed(value):
        value = [text for text, _ in weighed]
    elif isinstance(value, dict):
        value = _accepted(value)
    if isinstance(value, (list, tuple)):
        if not value:
            raise UnusableError("no answer")
        answers = dict.fromkeys(as_answers(value[0])[:1])
        for other in value[1:]:
            try:
                answers.update(dict.fromkeys(as_answers(other)[:1]))
            except UnusableError:  # only the first must be usable
                continue
        return tuple(answers)
    return (_answer_text(value),)


_WEIGHTS = ("weight", "weights", "count", "counts", "votes", "score", "scores")
"""What says how much a gold counts, such as how many people gave it."""


def _weighed(value: Any) -> list[tuple[Any, float]]:
    """(gold, weight), the heaviest first and equals as they stand; empty for golds of which not each has a weight above
    0, as options have scores."""
    if isinstance(value, dict):
        weights, texts = next((value[key] for key in _WEIGHTS if key in value), ()), value.get("text")
        lists = isinstance(texts, list) and isinstance(weights, list) and len(texts) == len(weights)
        pairs: list[tuple[Any, Any]] = list(zip(texts or (), weights)) if lists else []
    elif isinstance(value, list) and all(isinstance(gold, dict) for gold in value):
        pairs = [(gold.get("text"), next((gold[key] for key in _WEIGHTS if key in gold), None)) for gold in value]
    else:
        return []
    if not all(isinstance(weight, (int, float)) and 0 < weight < math.inf for _, weight in pairs):
        return []
    return sorted(pairs, key=lambda pair: -pair[1])


def is_tied(value: Any) -> bool:
    """Whether two different golds weigh most, so that neither is the label."""
    weighed = _weighed(value)
    return len({as_name(text) for text, weight in weighed if weight == weighed[0][1]}) > 1


def _accepted(value: dict[str, Any]) -> Any:
    """The list of acceptable answers that an object of question answering holds; the object itself if it is another."""
    if isinstance(value.get("text"), list) or ("text" in value and {"answer_start", "start"} & value.keys()):
        return value["text"]
    if isinstance(value.get("aliases"), list) and isinstance(value.get("value"), str):
        return [value["value"], *value["aliases"]]
    if not isinstance(value.get("spans"), list):
        return value
    if not is_missing(value.get("number")) and str(value["number"]).strip():
        return [value["number"]]
    date = value.get("date")
    parts = [date.get(part) for part in ("day", "month", "year")] if isinstance(date, dict) else []
    written = " ".join(str(part).strip() for part in parts if not is_missing(part) and str(part).strip())
    return value["spans"] or ([written] if written else [])


def _answer_text(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise UnusableError("answer is not finite" + (" (NaN, or missing)" if math.isnan(value) else ""))
    if is_missing(value):
        raise UnusableError("no answer")
    text = as_plain(value)
    if text is None:
        raise UnusableError(f"answer is {_a(kind_of(value))}, not a label", "--answer-part takes a part of it")
    text = text.strip()
    if not text:
        raise UnusableError("empty answer")
    _check_unicode(text, "answer")
    return text


def _check_depth(value: Any, role: str) -> None:
    """Raise UnusableError for a value that is nested deeper than anything meaningful."""
    if not isinstance(value, str) and is_too_deep(value):  # nearly all are texts
        raise UnusableError(f"{role} is nested too deeply")


def _joined(value: Any) -> str | None:
    """Text, message, part of a message, or a list of these; None for anything else."""
    value = bare(value)
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for key in ("content", "text", *(["value"] if "from" in value else [])):
            if key in value:
                return "" if value[key] is None else _joined(value[key])
        return "" if value.get("type") in ("image", "image_url", "audio", "input_audio") else None
    if isinstance(value, (list, tuple)) and value:
        parts = [_joined(part) for part in value]
        texts = [part for part in parts if part is not None]
        return "\n".join(text for text in texts if text) if len(texts) == len(parts) else None
    return None


def turn_of(message: Any) -> tuple[str, Any] | None:
    """Who says what in a turn of a chat, of OpenAI's or ShareGPT's form; None for anything else."""
    for who, what in (("role", "content"), ("from", "value")):
        if isinstance(message, dict) and who in message and what in message:
            return str(message[who]), message[what]
    return None


def said_by_assistant(message: Any) -> Any:
    """What the assistant says in a turn of a chat; None for any other turn."""
    who, what = turn_of(message) or ("", None)
    return what if who in ("assistant", "gpt", "model") else None


def _check_unicode(text: str, role: str) -> None:
    """Raise UnusableError for half a surrogate pair or a NUL, which no benchmark contains on purpose."""
    if "\0" in text:
        raise UnusableError(f"NUL character in the {role}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise UnusableError(f"{role} is not valid Unicode") from error


def kind_of(value: Any) -> str:
    """What kind of JSON value it is: `list`, `truth value`; of any other, its type."""
    for kind, name in _KINDS:
        if isinstance(value, kind):
            return name
    return "null" if value is None else f"value of type {type(value).__name__}"


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "truth value"), ((int, float), "number"), (str, "text"), ((list, tuple), "list"), (dict, "object"),
)  # fmt: skip


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


# How much of a source is read: all rows up to a ceiling, or a sample of so many, chosen by their content and a seed.
#
# A row is in the sample if the keyed hash of its content is among the smallest. So the same rows are chosen whatever
# their order and whatever the format, and rows with equal content are chosen together or not at all, as far as there is
# room. Nothing is known of groups, splits or answers: each row has the same chance. Rows are hashed as they are read,
# and only those that may be chosen are kept (bottom-k sampling; Cohen & Kaplan 2007).


T = TypeVar("T")

ROWS = 1_000_000
"""Most rows that are audited; so many take about 10 GB. A sample may be drawn from any number of rows."""
_CELLS = 50_000_000
"""Most values in the rows that are kept: as objects of Python they take about 4 GB."""
_ADVICE = 100_000


@dataclass(frozen=True)
class Budget:
    """How many rows are kept of a source."""

    sample: int | None = None
    """Rows of the sample; None for all rows."""
    seed: int = 42

    @cached_property
    def _key(self) -> bytes:
        return Stream(self.seed, "audit", "max-rows").word().to_bytes(8, "big")

    def check_rows(self, count: int, place: str) -> None:
        """Raise InputError for a source of so many rows, before they are read."""
        if self.sample is None and count > ROWS:
            raise InputError(
                f"more than {ROWS:,} rows; `--max-rows {_ADVICE}` (`max_rows=` in Python) audits a sample of them",
                place,
            )

    def applied(self, table: Table, place: str) -> Table:
        """The table within the budget, with a note where rows were sampled. Raises InputError for too large a table."""
        if len(table.columns) * len(table.rows) > 4 * _CELLS:  # most are empty, or there were too many values
            raise InputError(
                f"{len(table.columns):,} columns for {len(table.rows):,} rows; keep those that the audit needs", place
            )
        count = len(table.rows) + len(table.left_out)
        if table.sampled_from is None:
            self.check_rows(count, place)
        if self.sample is not None and count > self.sample:
            sieve: Sieve[Row | LeftOut] = Sieve(self, place)
            for row in table.rows:
                sieve.add(row, row.values, len(row.values))
            for entry in table.left_out:
                sieve.add(entry, [entry.place, entry.full_reason])
            rows, left_out = parted(sieve.kept)
            table = replace(table, rows=rows, left_out=tuple(left_out), sampled_from=table.sampled_from or count)
        if table.sampled_from is None:
            return table
        note = (
            f"a sample of {self.sample:,} of {table.sampled_from:,} rows, chosen by content and the seed {self.seed}; "
            "it knows nothing of groups"
        )
        return replace(table, notes=(note, *table.notes))

    def digest(self, values: Any) -> int:
        """What a row is chosen by: a number that depends on its content and the seed alone."""
        try:
            content = msgspec.json.encode(values, order="deterministic", enc_hook=str)
        except (ValueError, TypeError, OverflowError):  # half a surrogate pair, a number of more than 64 bits
            content = repr(values).encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(content, digest_size=16, key=self._key).digest(), "big")


WHOLE = Budget()
"""All rows, up to the ceiling."""


def check_sample(rows: int | None) -> int | None:
    """The size of a sample, None for none. Raises UsageError for one that is not permitted."""
    if rows is not None and not 1 <= rows <= ROWS:
        raise UsageError(f"max_rows is {rows}; it must lie between 1 and {ROWS:,}")
    return rows


def check_values(data: bytes, place: str) -> None:
    """Raise InputError for JSON that may hold too many values, before it is read; commas within texts count too."""
    if len(data) > _CELLS and data.count(b",") > _CELLS:
        raise InputError(f"may hold more than {_CELLS:,} values; keep what the audit needs", place)


def parted(kept: Iterable[Row | LeftOut]) -> tuple[list[Row], list[LeftOut]]:
    """The rows that can be used, and the others."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for entry in kept:
        if isinstance(entry, Row):
            rows.append(entry)
        else:
            left_out.append(entry)
    return rows, left_out


class Sieve(Generic[T]):
    """The rows of one source as they are read, of which the budget keeps all or some."""

    def __init__(self, budget: Budget, place: str) -> None:
        self._budget, self._place = budget, place
        self._seen = self._cells = 0
        self._all: list[T] = []
        self._chosen: list[tuple[int, int, int, T]] = []
        """Minus the digest and minus the place of each row, so that the first to go comes first; its values; itself."""

    def add(self, row: T, content: Any, cells: int = 1) -> None:
        """One more row, chosen by its `content`, with so many values. Raises InputError where that is too much."""
        budget = self._budget
        self._seen += 1
        self._cells += cells
        budget.check_rows(self._seen, self._place)
        if budget.sample is None:
            self._all.append(row)
        else:
            entry = (-budget.digest(content), -self._seen, cells, row)
            if len(self._chosen) < budget.sample:
                heapq.heappush(self._chosen, entry)
            else:
                self._cells -= heapq.heappushpop(self._chosen, entry)[2]
        if self._cells > _CELLS:
            raise InputError(
                f"more than {_CELLS:,} values in its rows; keep the columns that the audit needs, or read a sample "
                "with `--max-rows`",
                self._place,
            )

    @property
    def kept(self) -> list[T]:
        """The rows that are kept, in the order of the source."""
        if self._budget.sample is None:
            return self._all
        return [row for _, _, _, row in sorted(self._chosen, key=lambda entry: -entry[1])]

    @property
    def sampled_from(self) -> int | None:
        """How many rows were read, where not all of them are kept; else None."""
        sample = self._budget.sample
        return self._seen if sample is not None and sample < self._seen else None
