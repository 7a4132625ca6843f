"""Options in fields of their own: a list, `{"text": [...], "label": [...]}`, letters to texts, several columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from audit.formats.table import as_name, as_plain, cell, is_too_deep

__all__ = ["NOTHING", "Given", "column_marks", "from_cell", "from_columns"]

_DECODER = msgspec.json.Decoder()
_TEXTS = ("text", "texts", "choices", "options")
_LABELS = ("label", "labels", "key", "keys")
_END = re.compile(r"((?<!\d)\d+|[A-Za-z])\Z")
_LETTERED = re.compile(r"\(?([A-Za-z])[).:]\s+(?=\S)|\(?([A-Za-z])[).](?=\S)")


@dataclass(frozen=True)
class Given:
    """The options of one item as its source gives them."""

    texts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """What the source calls each option (`A`, `1`); empty where it has no names for them."""
    places: tuple[int, ...] = ()
    """The place of each among the columns or in the list, from 0; it has gaps where options are missing."""
    gold: int = -1
    """The right one, where the field itself says so by scores; else -1."""

    @classmethod
    def of(cls, texts: Sequence[str], marks: Sequence[str] = (), gold: int = -1) -> Given:
        """Options without gaps."""
        return cls(tuple(texts), tuple(marks), tuple(range(len(texts))), gold)


NOTHING = Given()


def from_cell(value: Any) -> Given:
    """The options in one value; `NOTHING` where it holds none that can be read.

    Accepts lists of texts, `{"text": [...], "label": [...]}`, letters to texts (`{"A": ...}`), texts to scores
    (`{"yes": 1, "no": 0}`), lists of `{"text": ..., "label": ...}`, and any of these as JSON inside a text. Letters
    that every text of a list begins with (`A) 21`) are taken off.
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            value = _DECODER.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return NOTHING
    if is_too_deep(value):
        return NOTHING
    if isinstance(value, dict):
        return _from_object(value)
    if not isinstance(value, (list, tuple)):
        return NOTHING
    texts = _texts(value)
    labels = [as_plain(option.get("label", option.get("key"))) for option in value if isinstance(option, dict)]
    if len(labels) == len(texts) and None not in labels and len(set(labels)) == len(labels):
        return Given.of(texts, [label or "" for label in labels])
    return _unlettered(texts)


def _from_object(value: dict[Any, Any]) -> Given:
    for key in _TEXTS:
        texts = value.get(key)
        if isinstance(texts, Sequence) and not isinstance(texts, str):
            return _labelled(_texts(texts), next((value[name] for name in _LABELS if name in value), None))
    if value and all(isinstance(text, str) for text in value.values()):
        return Given.of([text.strip() for text in value.values()], [str(name) for name in value])
    if value and all(isinstance(score, (int, float)) for score in value.values()):
        return Given.of([str(text).strip() for text in value], (), _best(list(value.values())))
    return NOTHING


def _labelled(texts: list[str], labels: Any) -> Given:
    """Texts with their labels, which are names (`A`, `B`) or scores (1 for the right one, 0 for the others)."""
    if not isinstance(labels, (list, tuple)) or len(labels) != len(texts):
        return _unlettered(texts)
    if all(isinstance(label, (int, float)) and label in (0, 1) for label in labels) and sum(labels) == 1:
        return Given.of(texts, (), _best(labels)) if len(labels) > 2 or list(labels) != [0, 1] else Given.of(texts)
    names = [as_plain(label) for label in labels]
    return Given.of(texts, [name or "" for name in names]) if None not in names else Given.of(texts)


def _best(scores: Sequence[float]) -> int:
    """The place of the only highest score; -1 where several share it."""
    best = [place for place, score in enumerate(scores) if score == max(scores)]
    return best[0] if len(best) == 1 else -1


def _texts(values: Sequence[Any]) -> list[str]:
    """The texts of a list; empty if any value is none."""
    texts: list[str] = []
    for option in values:
        text = as_plain(option.get("text", option.get("content")) if isinstance(option, dict) else option)
        if text is None:
            return []
        texts.append(text.strip())
    return texts


def _unlettered(texts: list[str]) -> Given:
    """The texts without the letters a, b, c, ... that all of them begin with."""
    marks = [_LETTERED.match(text) for text in texts]
    letters = [(mark[1] or mark[2]).casefold() for mark in marks if mark is not None]
    if len(texts) < 2 or letters != [chr(ord("a") + place) for place in range(len(texts))]:
        return Given.of(texts)
    return Given.of([text[mark.end() :].strip() for text, mark in zip(texts, marks) if mark is not None], letters)


def from_columns(values: dict[str, Any], columns: Sequence[str], marks: Sequence[str]) -> Given:
    """The options in several columns, one each, in the order of the columns; an empty one is left out."""
    texts = [as_name(cell(values, column)) for column in columns]
    places = tuple(place for place, text in enumerate(texts) if text is not None)
    return Given(tuple(text for text in texts if text is not None), tuple(marks[place] for place in places), places)


def column_marks(columns: Sequence[str]) -> tuple[str, ...]:
    """What several columns call their options: `a` for `answerA`, `1` for `option1`; their names if they have none."""
    ends = [_END.search(column) for column in columns]
    marks = [match[1].casefold() for match in ends if match is not None]
    return tuple(marks) if len(set(marks)) == len(columns) else tuple(columns)
