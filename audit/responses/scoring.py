"""Scores of model answers, by model: accuracy with intervals, by subset, condition and design, beside baselines.

Items come from a release, replies from `answers`; the family of the items names the scorer. The same sums for every
family, because a scorer says only of each item whether it is right, and of some items what guessing reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from math import isnan, nan
from typing import Any

from audit.responses.shares import Rate, wilson
from generators.errors import InputError
from generators.item import Item
from generators.progress import Progress, unwatched

__all__ = ["PLAIN", "SCORERS", "SLICES", "Line", "Report", "score_replies"]

SCORERS = {"knights-knaves": "generators.knights_knaves.score", "word-problems": "generators.word_problems.score"}
"""The visible table: family (`metadata.dataset`) -> module with `score_all` and `baselines`, perhaps `agreement`."""

PLAIN = "generators.option_match"
"""The scorer of every other family."""

SLICES = {"knights-knaves": ("set", "n")}
"""Family -> keys of `metadata` by whose values, taken together, the scores are shown too."""

_CHUNK = 100  # items between two calls of the progress


@dataclass(frozen=True)
class Line:
    """The scores of some items together."""

    by: str
    """`all`, `subset`, `condition`, or keys of metadata: `set, n`."""
    name: str
    """Which of them: `S-3`, `original`, `E, 4`; "" for all."""
    items: int
    missing: int
    """Items without an answer; wrong in every rate."""
    unparsed: int
    """Answers that are not clearly one answer; wrong in every rate."""
    right: Rate
    """Items that are right as a whole; Wilson's interval takes them for independent, which pairs are not."""
    characters: Rate | None
    """Characters that are right; None for families without characters, and where none is asked for."""
    groups: int
    """Groups of items that belong together."""
    pairs: Rate | None
    """Groups of exactly two items of different conditions of which both are right; None where there is none."""
    random: float
    """Chance of a uniform guess. NaN where an answer is open. Of several subsets the mean, weighted by items."""
    majority: float
    """What always giving the line's most frequent gold reaches; of several subsets the mean, weighted by items."""
    majority_character: float
    """The same for characters, weighted by characters; NaN where there are none."""


@dataclass(frozen=True)
class Report:
    """The scores of one model."""

    model: str
    """"" where the answers name none."""
    dataset: str
    version: str
    scorer: str
    """The module that scored."""
    lines: tuple[Line, ...]
    """All items first, then subsets, then conditions (where they part the items otherwise), then slices."""
    scores: tuple[dict[str, Any], ...]
    """Each item's score in the order of the items: id, right, parsed, reason and what the scorer adds."""
    missing: tuple[str, ...] = ()
    """Ids of the items without a reply, in the order of the items; not in the record, whose lines count them."""
    agreement: dict[str, Any] | None = None
    """How far two ways of reading the replies agree, where the scorer has two (its `agreement`); else None."""

    def record(self, scores: bool = False) -> dict[str, Any]:
        """The report as a JSON object, NaN as null; with each item's score where `scores`."""
        found = asdict(self)
        del found["missing"]
        if not scores:
            del found["scores"]
        cleaned: dict[str, Any] = _finite(found)
        return cleaned


def score_replies(
    items: Sequence[Item],
    replies: Mapping[str, str | None],
    model: str = "",
    progress: Progress = unwatched,
) -> Report:
    """The report of one model's replies, keyed by item id; a missing one counts as wrong.

    Raises InputError for no items, items of several datasets or with one id, and for replies to none of the items.
    """
    families = list(dict.fromkeys((item.metadata["dataset"], item.metadata["version"]) for item in items))
    if len(families) != 1:
        raise InputError(f"{len(families)} releases to score; one at a time")
    ids = {item.id for item in items}
    if len(ids) < len(items):
        raise InputError("two items have one id; score each subset's file once")
    strange = [id for id in replies if id not in ids]
    if strange:
        raise InputError(f"{len(strange)} replies belong to no item, the first one to {strange[0]!r}")
    (family, version), name = families[0], SCORERS.get(families[0][0], PLAIN)
    scorer = import_module(name)
    scores: list[Any] = []

    for start in range(0, len(items), _CHUNK):
        some = items[start : start + _CHUNK]
        scores.extend(scorer.score_all(some, {item.id: replies.get(item.id) for item in some}))
        progress(model or "scoring", start + len(some), len(items))
    lines = _lines(items, scores, replies, scorer, SLICES.get(family, ()))
    agree = getattr(scorer, "agreement", None)
    given = [one for item, one in zip(items, scores, strict=True) if replies.get(item.id) is not None]
    return Report(
        model,
        family,
        version,
        name,
        tuple(lines),
        tuple(asdict(one) for one in scores),
        tuple(item.id for item in items if replies.get(item.id) is None),
        asdict(agree(given)) if agree else None,
    )


def _lines(
    items: Sequence[Item], scores: Sequence[Any], replies: Mapping[str, str | None], scorer: Any, keys: Sequence[str]
) -> list[Line]:
    subsets = _parted(items, lambda item: str(item.metadata["subset"]))
    guesses = {name: _Guess.of(places, items, scores, scorer) for name, places in subsets.items()}

    def line(by: str, name: str, places: Sequence[int]) -> Line:
        held: dict[str, list[int]] = {}
        for place in places:
            held.setdefault(items[place].metadata["subset"], []).append(place)
        whole = {one: guesses[one] if len(some) == len(subsets[one]) else _Guess.of(some, items, scores, scorer)
                 for one, some in held.items()}  # fmt: skip
        return _line(by, name, [items[i] for i in places], [scores[i] for i in places], replies, [*whole.values()])

    found = [line("all", "", range(len(items)))]
    found += [line("subset", name, places) for name, places in subsets.items()]
    conditions = _parted(items, lambda item: item.condition)
    if len(conditions) > 1 and list(conditions.values()) != list(subsets.values()):
        found += [line("condition", name, places) for name, places in conditions.items()]
    if keys:
        by = _parted(items, lambda item: ", ".join(str(item.metadata[key]) for key in keys))
        found += [line(", ".join(keys), name, places) for name, places in by.items()]
    return found


@dataclass(frozen=True)
class _Guess:
    """The baselines of one subset, or of the part of it that is in a line."""

    items: int
    characters: int
    random: float
    majority: float
    majority_character: float

    @classmethod
    def of(cls, places: Sequence[int], items: Sequence[Item], scores: Sequence[Any], scorer: Any) -> _Guess:
        found = scorer.baselines([items[i] for i in places])
        weights = [one.items for one in found]
        single = [getattr(one, "majority_character", nan) for one in found]
        return cls(
            len(places),
            sum(getattr(scores[i], "characters", 0) for i in places),
            _mean([one.random for one in found], weights),
            _mean([one.majority for one in found], weights),
            _mean(single, weights),
        )


def _line(
    by: str,
    name: str,
    items: Sequence[Item],
    scores: Sequence[Any],
    replies: Mapping[str, str | None],
    guesses: Sequence[_Guess],
) -> Line:
    missing = sum(replies.get(item.id) is None for item in items)
    asked = sum(getattr(one, "characters", 0) for one in scores)
    hits = sum(getattr(one, "characters_right", 0) for one in scores)
    groups: dict[str, list[tuple[str, bool]]] = {}
    for item, one in zip(items, scores, strict=True):
        groups.setdefault(item.group, []).append((item.condition, one.right))
    pairs = [two for two in groups.values() if len(two) == 2 and two[0][0] != two[1][0]]
    both = sum(first[1] and second[1] for first, second in pairs)
    weights = [one.items for one in guesses]
    asking = [one for one in guesses if one.characters]
    return Line(
        by,
        name,
        len(items),
        missing,
        sum(not one.parsed for one in scores) - missing,
        wilson(sum(one.right for one in scores), len(items)),
        wilson(hits, asked) if asked else None,
        len(groups),
        wilson(both, len(pairs)) if pairs else None,
        _mean([one.random for one in guesses], weights),
        _mean([one.majority for one in guesses], weights),
        _mean([one.majority_character for one in asking], [one.characters for one in asking]),
    )


def _parted(items: Sequence[Item], key: Callable[[Item], str]) -> dict[str, list[int]]:
    """Value -> the places of its items, in order of first occurrence."""
    found: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        found.setdefault(key(item), []).append(place)
    return found


def _mean(values: Sequence[float], weights: Sequence[int]) -> float:
    """The weighted mean; NaN for none, and where one is NaN."""
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights) if values else nan


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and isnan(value) else value
