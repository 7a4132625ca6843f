"""Level 4, text: what a language must provide to turn logical forms into sentences.

All words of a language are in its folder. Designs draw from its `vocabulary`; its wording turns forms into text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from generators.stream import Stream
from generators.word_problems.forms import Problem, Thing

__all__ = ["Stock", "Surface", "Vocabulary", "Wording"]


class Stock(NamedTuple):
    """A thing that people in stories have, and how much of it one person may plausibly have."""

    thing: Thing
    """Without an attribute."""
    least: int
    most: int
    setting: str
    """Where stories about it happen; all things of a problem share one setting."""
    attributes: tuple[str, ...] = ()
    """What it may be besides: `red`."""
    holders: tuple[tuple[Thing, int], ...] = ()
    """(container, how many one person may have) of each container that holds it by the dozen, for rates."""

    def holding(self, count: int) -> tuple[Thing, ...]:
        """The containers of which one person may have `count`."""
        return tuple(holder for holder, most in self.holders if count <= most)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What a design may draw, as keys. The order of the lists determines every item made from them."""

    names: tuple[str, ...]
    """Agents, as the text writes them."""
    stock: tuple[Stock, ...]

    def fitting(self, high: int, low: int = 2) -> tuple[Stock, ...]:
        """What one person may plausibly have from `low` to `high` of, at any moment of a problem."""
        return self._fitting(*self._ranked(high, low))

    def packed(self, contents: int, holders: int, kinds: int = 1) -> tuple[Stock, ...]:
        """What one person may have up to `contents` of, in up to `holders` of any of at least `kinds` containers."""
        return self._packed(*self._ranked(contents, 2), holders, kinds)

    def beside(self, thing: Thing, high: int, low: int = 2) -> tuple[Stock, ...]:
        """Other things of the setting of `thing`, for amounts from `low` to `high`; none is called the same."""
        return self._beside(thing._replace(attribute=""), *self._ranked(high, low))

    # Amounts that the same stock suits share an entry: there are few bounds, but many amounts.

    @cache  # noqa: B019 - a language has one vocabulary, for ever
    def _bounds(self) -> tuple[list[int], list[int]]:
        """The most and the least that anybody has of anything, each sorted, without repetitions."""
        return sorted({stock.most for stock in self.stock}), sorted({stock.least for stock in self.stock})

    def _ranked(self, high: int, low: int) -> tuple[int, int]:
        """How many upper bounds are below `high`, and how many lower ones are not above `low`."""
        mosts, leasts = self._bounds()
        return bisect_left(mosts, high), bisect_right(leasts, low)

    @cache  # noqa: B019
    def _fitting(self, below: int, up_to: int) -> tuple[Stock, ...]:
        mosts, leasts = self._bounds()
        most, least = {*mosts[below:]}, {*leasts[:up_to]}
        return tuple(stock for stock in self.stock if stock.least in least and stock.most in most)

    @cache  # noqa: B019
    def _packed(self, below: int, up_to: int, holders: int, kinds: int) -> tuple[Stock, ...]:
        return tuple(stock for stock in self._fitting(below, up_to) if len(stock.holding(holders)) >= kinds)

    @cache  # noqa: B019
    def _beside(self, thing: Thing, below: int, up_to: int) -> tuple[Stock, ...]:
        home = next(stock for stock in self.stock if stock.thing == thing)
        taken = {thing.entity, thing.unit, *(holder.entity for holder, _ in home.holders)} - {""}
        # Whoever counts shells might count crab shells, too.
        words = [{*name.split()} for name in taken]
        return tuple(
            stock
            for stock in self._fitting(below, up_to)
            if stock.setting == home.setting
            and not any(
                {*name.split()} <= known or known <= {*name.split()}
                for name in (stock.thing.entity, stock.thing.unit)
                if name
                for known in words
            )
        )


class Surface(NamedTuple):
    """How a problem is worded. It is drawn once: the text is a function of problem and surface."""

    templates: tuple[int, ...]
    """Index of the template of each sentence among those of its form, the question last."""
    pronouns: tuple[bool, ...]
    """Whether the subject of each sentence is a pronoun, the question last."""
    story: tuple[object, ...] = ()
    """What all sentences of the problem share, as the language needs it; its setting comes first."""
    told: tuple[tuple[str, str, str, int], ...] = ()
    """What else the language has drawn for each sentence, the question last."""


class Wording(Protocol):
    """A language: its vocabulary, and how problems become sentences."""

    vocabulary: Vocabulary

    def surfaces(self, stream: Stream, problems: Sequence[Problem]) -> tuple[Surface, ...]:
        """One surface per problem of a group.

        If the n-th sentences of both problems have the same form (up to agents, relation and number), they have the
        same template and both or neither have a pronoun.
        """

    def sentences(self, problem: Problem, surface: Surface) -> list[str]:
        """The sentences, the question last. The text joins them with one space."""
