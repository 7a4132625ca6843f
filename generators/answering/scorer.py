"""Scorer: how a family reads and scores a reply, what it scores blindly, and which items it refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from hansproof.generators.errors import InputError
from hansproof.generators.item import Item

__all__ = [
    "ANSWER",
    "FIRST_OPTION",
    "LAST_OPTION",
    "MISFITS",
    "PROMPT_LENGTH",
    "Better",
    "BlindStrategy",
    "Guess",
    "Measure",
    "MeasureKind",
    "Reading",
    "Score",
    "Scorer",
    "best_of",
    "check_shape",
    "constant",
    "copying",
    "fitting",
    "option",
    "rule",
    "target_of",
    "words_of",
]

# A blind strategy may learn: it sees the items of one part with their answers and answers those of another, so it is
# measured on items that it learned from and on items that it has not seen.

Guess = str | None
"""A canonical answer, or None where the strategy has none to give (it is scored on those that it answers)."""


def _itself(item: Item) -> Item:
    return item


@dataclass(frozen=True)
class BlindStrategy:
    """One way to answer without the ability."""

    name: str
    """`constant`, `last-number`: stable, unique within a family."""
    description: str
    """What it does, as a clause: `always gives the most common answer`."""
    guesses: Callable[[Sequence[Any], Sequence[Any]], Sequence[Guess]]
    """(views of the items to learn from, views of the items to answer) -> one guess for each of these. A fixed rule
    ignores the former."""
    target: str = ""
    """The key of `metadata` whose value it guesses (`operation`); empty where it guesses the answer itself."""
    learns: bool = False
    """Whether it looks at the items to learn from; a fixed rule scores the same in sample and out of sample."""
    view: Callable[[Item], Any] = _itself
    """What it sees of one item, worked out once however many parts of the items it learns from and answers."""

    def answers(self, learned: Sequence[Item], asked: Sequence[Item]) -> Sequence[Guess]:
        """One guess per item of `asked`, by what it learned from the items of `learned`."""
        return self.guesses([*map(self.view, learned)], [*map(self.view, asked)])


def target_of(item: Item, target: str) -> Guess:
    """What a strategy with this `target` should have guessed: the answer, or the metadata value as text; None for null.

    Raises KeyError where the item has no such key.
    """
    if not target:
        return item.answer
    value = item.metadata[target]
    return None if value is None else str(value)


def constant(target: str = "") -> BlindStrategy:
    """Always gives the most common answer of the items that it learned from (ties: the first in sorted order)."""

    def guesses(learned: Sequence[Guess], asked: Sequence[Guess]) -> list[Guess]:
        return [_most_common(Counter(learned))] * len(asked)

    what = "answer" if not target else f"`{target}`"
    description = f"always gives the most common {what}"
    return BlindStrategy("constant", description, guesses, target, True, lambda item: target_of(item, target))


def rule(name: str, description: str, feature: Callable[[Item], str], target: str = "") -> BlindStrategy:
    """Gives the most common answer among learned items with the same surface `feature`; of all items for a new one."""

    def guesses(learned: Sequence[tuple[str, Guess]], asked: Sequence[tuple[str, Guess]]) -> list[Guess]:
        known: dict[str, Counter[Guess]] = {}
        every: Counter[Guess] = Counter()
        for (value, gold), count in Counter(learned).items():
            known.setdefault(value, Counter())[gold] += count
            every[gold] += count
        best = {value: _most_common(golds) for value, golds in known.items()}
        otherwise = _most_common(every)
        return [best.get(value, otherwise) for value, _ in asked]

    return BlindStrategy(
        name, description, guesses, target, True, lambda item: (feature(item), target_of(item, target))
    )


def copying(name: str, description: str, pick: Callable[[Item], Guess]) -> BlindStrategy:
    """A fixed rule of the item alone: the last number of the prompt, the sum of its numbers."""

    return BlindStrategy(name, description, lambda learned, asked: [pick(item) for item in asked])


def option(name: str, description: str, place: Callable[[Sequence[str]], int]) -> BlindStrategy:
    """Chooses by the options alone: the first, the last, the longest. `place` gives the index of the choice.

    It has no guess for items without options.
    """
    return copying(name, description, lambda item: item.choices[place(item.choices)] if item.choices else None)


def words_of(item: Item) -> str:
    """The number of words of the prompt, as a feature."""
    return str(len(item.prompt.split()))


def _most_common(counts: Mapping[Guess, int]) -> Guess:
    ranked = ((-count, gold) for gold, count in counts.items() if gold is not None)
    return min(ranked, default=(0, None))[1]


FIRST_OPTION = option("first-option", "always chooses the first option", lambda choices: 0)
LAST_OPTION = option("last-option", "always chooses the last option", lambda choices: len(choices) - 1)
PROMPT_LENGTH = rule(
    "prompt-length", "gives the most common answer among prompts with the same number of words", words_of
)

# The audit knows families only through this protocol.

T = TypeVar("T")

ANSWER = "answer"
"""The name of the whole answer beside the names of measures: no measure is called this."""

Better = Literal["higher", "lower", "neither"]
"""Which values of a measure are the better ones; `neither` where it only describes what a reply does."""


@dataclass(frozen=True)
class Reading:
    """What one reply says."""

    said: str | None
    """The answer that the reply gives, in the canonical form of `Item.answer` where it has that form; None where the
    reply gives no clear answer."""
    reason: str = ""
    """Why the reply gives no clear answer; empty where it gives one."""
    others: Mapping[str, str | None] = field(default_factory=dict)
    """What further ways of reading say, by the names of `Scorer.readings`; None where one of them finds no answer."""


@dataclass(frozen=True)
class MeasureKind:
    """What a measure is, and how its values are to be read."""

    meaning: str
    """`share of the characters asked about whose identity is right`: a clause."""
    better: Better = "higher"
    share: bool = True
    """Whether values lie between 0 and 1 and are shown in per cent; False for distances, rewards and counts."""


@dataclass(frozen=True)
class Measure:
    """One number about one reply, beside right and wrong: the share of characters that are right, a reward."""

    value: float
    """Undefined values are left out of `Score.measures` rather than recorded as NaN."""
    weight: float = 1.0
    """Its weight in a mean over items: the number of characters, of trials."""


@dataclass(frozen=True)
class Score:
    """One reply against one item."""

    right: bool | None
    """Whether the whole answer is right; None where the item has no right answer."""
    reason: str = ""
    """How the answer is wrong, in words; empty where it is right or nothing is right."""
    measures: Mapping[str, Measure] = field(default_factory=dict)
    """By the names of `Scorer.measures`; a measure that does not apply to the item is left out."""


class Scorer(Protocol):
    """What a family brings so that replies to its items can be scored."""

    @property
    def measures(self) -> Mapping[str, MeasureKind]:
        """Each measure that a score may have, the main one first; empty where there is only right and wrong."""
        ...

    @property
    def readings(self) -> Mapping[str, str]:
        """Each further way of reading a reply (see `Reading.others`), and what it is; usually empty."""
        ...

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """The strategies that answer without the ability, best known first; never empty."""
        ...

    def read(self, item: Item, reply: str) -> Reading:
        """What `reply` says, in time linear in its length. Raises InputError for an item of another family."""
        ...

    def score(self, item: Item, reading: Reading) -> Score:
        """Whether that is right. A reading without an answer is wrong wherever an answer can be right."""
        ...

    def chance(self, item: Item) -> Mapping[str, float]:
        """What a uniform guess among the possible answers is expected to score: under ANSWER the probability of being
        right, under the name of a measure its expected value. What is undefined (an open answer) is left out."""
        ...


def best_of(candidates: Iterable[T], value: Callable[[T], float], better: Better) -> T | None:
    """The candidate with the best value, the first of equals; None without candidates, and where nothing is better."""
    if better == "neither":
        return None
    sign = 1 if better == "higher" else -1
    return max(candidates, key=lambda candidate: sign * value(candidate), default=None)


# A family relies on the metadata that it writes, and an item from a file may have other metadata.

MISFITS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What metadata with other keys or types than expected may raise."""


@contextmanager
def fitting(item: Item) -> Iterator[None]:
    """Run the code of a family on `item`. Raises InputError, naming the item, for each of MISFITS."""
    try:
        yield
    except MISFITS as error:
        family = item.metadata["dataset"]
        what = f"metadata lacks {error.args[0]}" if isinstance(error, KeyError) else f"metadata does not fit ({error})"
        raise InputError(f"{what}; is it an item of {family}, as released?", f"item {item.id!r}") from error


def check_shape(item: Item, made: Mapping[str, Any]) -> None:
    """Raise InputError, naming the item, unless its metadata has the keys and, at every depth, the types of `made`."""
    for key, value in made.items():
        if key not in item.metadata:
            wrong = f"metadata lacks {key}"
        elif (there := _shape(item.metadata[key])) == (wanted := _shape(value)):
            continue
        else:
            wrong = f"metadata.{key} is {there}, not {wanted}"
        family = item.metadata["dataset"]
        raise InputError(f"{wrong}; is it an item of {family}, as released?", f"item {item.id!r}")


def _shape(value: Any) -> str:
    """The type of a JSON value in words, with those of the entries of a list: `list of (list of (integer))`."""
    if isinstance(value, list | tuple):
        return f"list of ({' and '.join(sorted({*map(_shape, value)})) or 'nothing'})"
    return _NAMES.get(type(value), "object")


_NAMES = {str: "text", bool: "boolean", int: "integer", float: "fraction", type(None): "null"}
