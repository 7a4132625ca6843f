"""Options printed in a prompt, or in fields of their own, also as lists that Python or NumPy wrote as text."""

from __future__ import annotations

import ast
import re
import warnings
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from hansproof.audit.formats.table import as_name, as_plain, cell, is_missing, is_too_deep

__all__ = [
    "NOTHING",
    "Given",
    "Printed",
    "column_marks",
    "flags_of",
    "from_cell",
    "from_columns",
    "listed_in",
    "mark_after",
    "mark_of",
    "printed_options",
]

_MARKS = 200
"""Marks examined per prompt, counted from its end: options come last, and a hostile prompt has millions."""

_MARK = re.compile(
    r"(?:^|(?<=\s))(?:(?:option|choice|answer|[-*•])[ \t]+)?\*{0,2}"  # `Option A:`, `- A:`, `**A.**`
    r"(?:[(\[](?P<inner>[A-Za-z]|\d{1,2})[)\]]\*{0,2}[ \t]*"
    r"|(?P<plain>[A-Za-z]|\d{1,2})\*{0,2}(?:\)\*{0,2}[ \t]*|[.:]\*{0,2}[ \t]+))(?=\S)",
    re.M | re.I,
)
_LABEL = re.compile(r"[(\[]?([A-Za-z]|\d{1,2})[.):\]]{0,2}\Z")
_CIRCLED = {ord("①") + place: f" ({place + 1}) " for place in range(20)}
"""`① x` is read as `(1) x`."""
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_HEADING = re.compile(
    r"(?:the |answer |possible )?(?:options|choices|answers|candidates|alternatives)(?: are)?\s*:?\Z", re.I
)
_ASKS = re.compile(r"(?:(?<=\s)|(?<=[.;,]))(?:question|query|q)\s?:\s", re.I)
"""Where a question begins behind the options of one line."""


_ENDS = re.compile(r"[.;](?=\s)")
"""Where the last option of a line may end before a question, if no other option has such a sign within."""


def _alone(texts: list[str], own_lines: bool) -> list[str]:
    """Options without the sign that divides each of them from the next one, and, on one line, ends the last."""
    divider = texts[0][-1:]
    if divider in (",", ";", "|") and all(each.endswith(divider) for each in texts[:-1]):
        texts = [*(each.removesuffix(divider).rstrip() for each in texts[:-1]), texts[-1]]
    ended = own_lines or any(each.endswith(".") for each in texts[:-1])
    return texts if ended else [*texts[:-1], texts[-1].removesuffix(".")]


@dataclass(frozen=True)
class Printed:
    """One enumeration in a prompt."""

    marks: tuple[str, ...]
    """`a`, `b`, ... or `1`, `2`, ... or `0`, `1`, ..."""
    texts: tuple[str, ...]
    """The text after each mark, in single spaces."""
    question: str
    """The prompt without the enumeration."""
    own_lines: bool
    """Each option begins a line."""
    first: bool
    """Nothing stands before the options, or a heading such as `Options:`."""
    run_on: bool = False
    """The options stand on one line, and so does the question behind them: nobody can tell where the last one ends."""

    @property
    def sure(self) -> tuple[str, ...]:
        """The texts whose end is known."""
        return self.texts if self.own_lines else self.texts[:-1]


def mark_of(label: str) -> str | None:
    """`b` for `(B)`, `B.` or `b`; None for a label that is not a number of two digits or a single letter."""
    match = _LABEL.match(label.translate(_CIRCLED).strip())
    return match[1].casefold() if match else None


def printed_options(prompt: str, wanted: str | None = None) -> Printed | None:
    """The last enumeration in the prompt that has the mark `wanted`, or any mark; None if there is none.

    An enumeration runs 1 2 3 ..., 0 1 2 ... or a b c ... without a gap and has at least two marks. An option ends
    where the next one begins. The last one ends with its line, or at a blank line if others have several lines.
    """
    if "①" in prompt:
        prompt = prompt.translate(_CIRCLED)
    last = deque(_MARK.finditer(prompt), maxlen=_MARKS)
    hits = [(match, (match["inner"] or match["plain"]).casefold()) for match in last]
    at_line = [_begins_line(prompt, match.start()) for match, _ in hits]
    best = _last_run([mark for _, mark in hits], at_line, wanted)
    if best is None:
        return None
    spans = [hits[at][0].span() for at in best]
    own_lines = all(at_line[at] for at in best)
    inner = [prompt[begin:end].strip() for (_, begin), (end, _) in pairwise(spans)]
    tail, before = prompt[spans[-1][1] :], prompt[: spans[0][0]].strip()
    several = own_lines and any("\n" in text for text in inner)
    stop = _BLANK_LINE.search(tail) if several else re.search("\n", tail)
    length = stop.start() if stop else len(tail)
    if not own_lines and (asks := _ASKS.search(tail, 0, length)) is not None:
        length = asks.start()
    elif not own_lines and tail[:length].rstrip().endswith("?") and not any(map(_ENDS.search, inner)):
        length = ends.end() if (ends := _ENDS.search(tail, 0, length)) is not None else length
    texts = _alone([" ".join(text.split()) for text in (*inner, tail[:length])], own_lines)
    question = "\n".join(part for part in (before, tail[length:].strip()) if part)
    first = not before or _HEADING.match(before) is not None
    asks_last = "?" in texts[-1] and not any("?" in text for text in texts[:-1])
    return Printed(
        tuple(hits[at][1] for at in best),
        tuple(texts),
        question,
        own_lines,
        first,
        run_on=not own_lines and not tail[length:].strip() and (first or asks_last),
    )


def _begins_line(prompt: str, begin: int) -> bool:
    while begin and prompt[begin - 1] in " \t":
        begin -= 1
    return begin == 0 or prompt[begin - 1] == "\n"


def _last_run(marks: Sequence[str], at_line: Sequence[bool], wanted: str | None) -> list[int] | None:
    """The places of the last enumeration; in a list on lines, a mark within a line belongs to the option.

    `4. Year code (5) + day (25)`. A list with a 0 before its 1 begins with 0, whichever mark is `wanted`.
    """
    after = [mark_after(mark) for mark in marks]
    for start in range(len(marks) - 1, -1, -1):
        for allowed in (at_line, [True] * len(marks)):
            before = [mark for mark, may in zip(marks[:start], allowed) if may][-1:]
            begins = marks[start] in ("0", "a") or (marks[start] == "1" and before != ["0"])
            run = [start] if begins and allowed[start] else []
            for at in range(start + 1, len(marks)) if run else ():
                if allowed[at] and marks[at] == after[run[-1]]:
                    run.append(at)
            if len(run) > 1 and (wanted is None or wanted in [marks[at] for at in run]):
                return run
    return None


def mark_after(mark: str) -> str:
    """The next mark: `2` after `1`, `b` after `a`."""
    return str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1)


# `['a', 'b']`, `{'text': array(['a', 'b'], dtype=object)}`, and NumPy's own `['a' 'b']`, which Python would read as one
# text: as pandas puts them into CSV files. Read as data, never run, in time linear in the length of the text.

LONGEST = 100_000
"""Characters of a text that is still read; options are shorter."""

_DEEPEST = 6
"""How deeply lists and objects may be nested: `[{'text': array(['a'])}]` is 3 deep."""

_DIVIDED = re.compile(
    r"""('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")(?P<divider>\s*+,?\s*+(?=['"]))?|['"].*""", re.S
)  # fmt: skip
"""A text in quotes and what divides it from the next one; or a quote that is never closed, and the rest."""
_WRAPPERS = re.compile(r"(?:np\.|numpy\.)?(?:array|str_|bool_?|u?int\d*|float\d*)\Z")


def read_literal(text: str) -> Any:
    """The list, tuple (as a list) or dict that `text` spells. Raises ValueError for anything else, and if it is long.

    Texts of a list are divided by commas, or all of them by blanks. `nan` is None.
    """
    if len(text) > LONGEST:
        raise ValueError(f"longer than {LONGEST:,} characters")
    dividers = {match["divider"].strip() for match in _DIVIDED.finditer(text) if match["divider"] is not None}
    if "" in dividers:
        # `['a' 'b', 'c']` would be two texts in Python and three in NumPy: better none than a wrong one.
        if "," in dividers or text.lstrip()[:1] == "(":
            raise ValueError("some texts are divided by commas, some are not")
        text = _DIVIDED.sub(lambda match: match[0] if match["divider"] is None else f"{match[1]},", text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `\d` in a text
            value = _literal(ast.parse(text.strip(), mode="eval").body, 0)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("no list or object") from error
    if not isinstance(value, (list, dict)):
        raise ValueError("no list or object")
    return value


def _literal(node: ast.expr, depth: int) -> Any:
    """The value of a node: a constant, a list or object of values, or what `array(..., dtype=object)` holds."""
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.Name(id="nan" | "NaN" | "null"):
            return None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=members) | ast.Tuple(elts=members):
            return [_literal(member, depth + 1) for member in members]
        case ast.Dict(keys=keys, values=values):
            names = [_literal(key, depth + 1) if isinstance(key, ast.Constant) else None for key in keys]
            if None in names:
                raise ValueError("a key is no text or number")
            return {str(name): _literal(value, depth + 1) for name, value in zip(names, values)}
        case ast.Call(args=[held]) if _WRAPPERS.match(ast.unparse(node.func)):
            return _literal(held, depth + 1)
    raise ValueError(f"a value may not be a {type(node).__name__}")


_DECODER = msgspec.json.Decoder()
TEXT_KEYS = ("text", "texts", "choices", "options")
LABEL_KEYS = ("label", "labels", "key", "keys")
_END = re.compile(r"((?<!\d)\d+|[A-Za-z])\Z")
_TEXT = ("text", "content", "value", "option", "choice", "answer")
LABEL_NAMES = ("label", "key", "id", "letter")
_FLAG = ("is_correct", "correct", "isCorrect", "score")
_LETTERED = re.compile(r"\(?([A-Za-z])[).:]\s+(?=\S)|\(?([A-Za-z])[).](?=\S)")
_SPACED = re.compile(r"(?:^|(?<=\s))([A-Za-z]) \)(?=\s)")
"""`a ) 38 , b ) 27`, as tokenizers leave it."""


@dataclass(frozen=True)
class Given:
    """The options of one item as its source gives them."""

    texts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """What the source calls each option (`A`, `1`); empty where it has no names for them."""
    columns: tuple[str, ...] = ()
    """The column of each, where each has one of its own."""
    places: tuple[int, ...] = ()
    """The place of each among the columns or in the list, from 0; it has gaps where options are missing."""
    gold: int = -1
    """The right one, where the field itself says so by scores; else -1."""

    @classmethod
    def of(
        cls, texts: Sequence[str | None], marks: Sequence[str] = (), gold: int = -1, columns: Sequence[str] = ()
    ) -> Given:
        """Options, of which None are missing and left out; `gold` is the place among all."""
        places = tuple(place for place, text in enumerate(texts) if text is not None)
        return cls(
            tuple(text for text in texts if text is not None),
            tuple(marks[place] for place in places) if marks else (),
            tuple(columns[place] for place in places) if columns else (),
            places,
            places.index(gold) if gold in places else -1,
        )


NOTHING = Given()


def from_cell(value: Any, labels: Any = None) -> Given:
    """The options in one value; `NOTHING` where it holds none that can be read.

    Accepts lists of texts, `{"text": [...], "label": [...]}`, letters to texts (`{"A": ...}`), texts to scores
    (`{"yes": 1, "no": 0}`), lists of `{"text": ..., "label": ...}`, and any of these as JSON, Python or NumPy writes
    it; also a text that enumerates its options (`A) 21 B) 22`). Letters that all texts of a list begin with are taken
    off. `labels` are those of a list whose labels are a field of their own.
    """
    if isinstance(value, str):
        value = _written(value)
        if isinstance(value, Given):
            return value
    labels = _written(labels) if isinstance(labels, str) else labels
    if is_too_deep(value):
        return NOTHING
    if isinstance(value, dict):
        listed = next((value[key] for key in TEXT_KEYS if isinstance(value.get(key), (list, tuple))), None)
        if listed is None:
            return _from_object(value)
        value, labels = listed, _first(value, LABEL_KEYS)
    if not isinstance(value, (list, tuple)):
        return NOTHING
    names: Sequence[Any] = ()
    scores: Sequence[Any] = ()
    if isinstance(labels, (list, tuple)) and len(labels) == len(value):
        if flags_of(labels) is None or sum(labels) != 1:
            names = labels
        elif len(labels) > 2 or list(labels) != [0, 1]:  # which may number the two options
            scores = labels
    elif all(isinstance(option, dict) for option in value):
        names = [_first(option, LABEL_NAMES) for option in value]
        scores = [_first(option, _FLAG) for option in value]
    return _with_marks(_texts(value), names, _best(scores))


def flags_of(value: Any) -> list[int] | None:
    """One number, 0 or 1, for each option, if that is what an answer holds: `[0, 0, 1, 0]`; else None."""
    if isinstance(value, str) and value[:1] == "[" and len(value) < 1000:
        value = _written(value)
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        return None
    flags = [int(flag) for flag in value if isinstance(flag, (bool, int, float)) and flag in (0, 1)]
    return flags if len(flags) == len(value) else None


def _written(text: str) -> Any:
    """The list or object that a text spells in JSON, Python or NumPy; the options that it enumerates; else None."""
    head = text.lstrip()[:1]
    if head in ("[", "{"):
        try:
            return _DECODER.decode(text)
        except (msgspec.DecodeError, RecursionError):
            pass
    if head in ("[", "{", "("):
        try:
            return read_literal(text)
        except ValueError:
            pass
    entry = printed_options(_SPACED.sub(r"\1)", text) if " )" in text else text)
    if entry is None or not entry.first or entry.question:
        return None
    return Given.of(entry.texts, entry.marks)


def _from_object(value: dict[Any, Any]) -> Given:
    """Letters to texts, or texts to scores."""
    names, present = [str(name) for name in value], [inner for inner in value.values() if not is_missing(inner)]
    if not present:
        return NOTHING
    if all(isinstance(inner, (int, float)) for inner in present):
        if not _are_marks(names) or all(score in (0, 1) for score in present):
            kept = [name.strip() for name, inner in zip(names, value.values()) if not is_missing(inner)]
            return Given.of(kept, (), _best(present))
    elif not _are_marks(names) and not all(isinstance(inner, str) for inner in present):
        return NOTHING
    return Given.of(_texts(list(value.values())), names)  # Arrow gives every row the letters of the longest


def _are_marks(names: Sequence[str]) -> bool:
    """Whether names are a, b, c, ... or 1, 2, 3, ...: then numbers beside them are options, not scores."""
    first = names[0].casefold()
    if first not in ("a", "0", "1"):
        return False
    start = ord(first) if first == "a" else int(first)
    return [name.casefold() for name in names] == [
        chr(start + place) if first == "a" else str(start + place) for place in range(len(names))
    ]


def _with_marks(texts: list[str | None], labels: Sequence[Any], gold: int) -> Given:
    """The texts under their labels; where these are no names, without the a, b, ... that all texts begin with."""
    names = [as_plain(label) for label in labels]
    if names and None not in names and len(set(names)) == len(names):
        return Given.of(texts, [name or "" for name in names], gold)
    marks = [None if text is None else _LETTERED.match(text) for text in texts]
    letters = [(mark[1] or mark[2]).casefold() for mark in marks if mark is not None]
    if gold >= 0 or len(texts) < 2 or letters != [chr(ord("a") + place) for place in range(len(texts))]:
        return Given.of(texts, (), gold)
    return Given.of([text[mark.end() :].strip() for text, mark in zip(texts, marks) if text and mark], letters)


def _first(value: dict[Any, Any], names: Sequence[str]) -> Any:
    """The value of the first name that there is; None without any."""
    return next((value[name] for name in names if name in value), None)


def _best(scores: Sequence[Any]) -> int:
    """The place of the only highest score; -1 where several share it, and where any is no number."""
    if not scores or not all(isinstance(score, (int, float)) for score in scores):
        return -1
    most = max(scores)
    best = [place for place, score in enumerate(scores) if score == most]
    return best[0] if len(best) == 1 else -1


def _texts(values: Sequence[Any]) -> list[str | None]:
    """The texts of a list, None for one that is missing; empty if any value cannot be a text, or all are missing."""
    texts: list[str | None] = []
    for option in values:
        inner = _first(option, _TEXT) if isinstance(option, dict) else option
        text = as_plain(inner)
        if text is None and (isinstance(option, dict) or not is_missing(inner)):
            return []
        texts.append(None if text is None or is_missing(inner) else text.strip())
    return texts if any(text is not None for text in texts) else []


def from_columns(values: dict[str, Any], columns: Sequence[str], marks: Sequence[str]) -> Given:
    """The options in several columns, in the order of the columns; an empty one is left out.

    Where one value is a list and another is a text, as with a gold beside its distractors, all of the list are options.
    """
    cells = [cell(values, column) for column in columns]
    lists = [listed_in(column, value) for column, value in zip(columns, cells)]
    if any(lists) and not all(lists):
        spread = [listed or (as_name(value),) for listed, value in zip(lists, cells)]
        return Given.of([text for texts in spread for text in texts])
    return Given.of([as_name(value) for value in cells], marks, columns=columns)


def listed_in(column: str, value: Any) -> tuple[str, ...]:
    """The texts that a value lists: a list, one that a text spells, or, in a column whose name ends with `s`, a text
    divided by semicolons (`Incorrect Answers` of TruthfulQA); none in any other value."""
    if isinstance(value, (list, tuple)) or (isinstance(value, str) and value.lstrip()[:1] == "["):
        return from_cell(value).texts
    if not isinstance(value, str) or column[-1:] not in ("s", "S") or ";" not in value:
        return ()
    return tuple(filter(None, map(str.strip, value.split(";"))))


def column_marks(columns: Sequence[str]) -> tuple[str, ...]:
    """What several columns call their options: `a` for `answerA`, `1` for `option1`; their names if these differ in
    more than a last letter or number."""
    ends = [_END.search(column) for column in columns]
    stems = {column[: match.start()] for column, match in zip(columns, ends) if match is not None}
    marks = [match[1].casefold() for match in ends if match is not None]
    return tuple(marks) if len(stems) == 1 and len(set(marks)) == len(columns) else tuple(columns)
