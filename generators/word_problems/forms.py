"""Logical forms: what each sentence says in no language, and what a language must provide to put it in words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from hansproof.generators.errors import InputError
from hansproof.generators.stream import Stream

__all__ = [
    "Comparison",
    "Container",
    "Form",
    "Problem",
    "Question",
    "Rate",
    "Stock",
    "Surface",
    "Thing",
    "Transfer",
    "Vocabulary",
    "Wording",
    "notation",
    "parse",
]

# Level 1, one sentence each (Opedal et al. 2024). Agents are names; entities, attributes, units and containers are keys
# of a vocabulary. `metadata` carries forms in a notation with one string per sentence.


class Thing(NamedTuple):
    """What is counted: `apple`, `apple/red`, `flour//kilogram` (entity, attribute, unit; "" for none)."""

    entity: str
    attribute: str = ""
    unit: str = ""


class Container(NamedTuple):
    """The agent has `quantity` of the thing; the only form that is not an equation."""

    agent: str
    quantity: int
    thing: Thing


class Comparison(NamedTuple):
    """agent = other (relation) quantity; `agent` is the subject of the sentence.

    `relation`: "+" more than, "-" fewer than, "*" times as many as, "/" one quantity-th of. The form does not say which
    of the two agents is already known. The sentence is consistent if `agent` is the new one, else inconsistent.
    """

    agent: str
    relation: str
    other: str
    quantity: int
    thing: Thing


class Transfer(NamedTuple):
    """`receiver` gets `quantity` of the thing from `sender`; one of the two may be "", which names nobody."""

    receiver: str
    sender: str
    quantity: int
    thing: Thing


class Rate(NamedTuple):
    """Each `per` (a container noun: box) of the agent holds `quantity` of the thing.

    It multiplies if the number of containers is known, and divides if the number of things is known.
    """

    agent: str
    quantity: int
    thing: Thing
    per: Thing


class Question(NamedTuple):
    """How many of `thing`: `count` of agents[0], `total` of both, or `difference` (agents[0] minus agents[1])."""

    kind: str
    agents: tuple[str, ...]
    thing: Thing


Form = Container | Comparison | Transfer | Rate


class Problem(NamedTuple):
    """A problem as the text presents it: one form per sentence, in order, then the question."""

    forms: tuple[Form, ...]
    question: Question


_CALL = re.compile(r"([a-z]+)\(([^()]*)\)")


def notation(form: Form | Question) -> str:
    """The form or question as a string, which `parse` reads back.

    `container(Ann, 5, apple/red)`, `comparison(Bob, -, Ann, 3, apple)`, `transfer(Ann, _, 3, apple)`,
    `rate(Ann, 4, pen, box)`, `count(Bob, apple)`, `total(Bob, Dan, apple)`, `difference(Bob, Dan, apple)`.
    """
    thing = _written(form.thing)
    if isinstance(form, Comparison):
        return f"comparison({form.agent}, {form.relation}, {form.other}, {form.quantity}, {thing})"
    if isinstance(form, Container):
        return f"container({form.agent}, {form.quantity}, {thing})"
    if isinstance(form, Transfer):
        return f"transfer({form.receiver or '_'}, {form.sender or '_'}, {form.quantity}, {thing})"
    if isinstance(form, Rate):
        return f"rate({form.agent}, {form.quantity}, {thing}, {_written(form.per)})"
    return f"{form.kind}({', '.join(form.agents)}, {thing})"


def parse(text: str) -> Form | Question:
    """The form or question that a string describes. Raises InputError if it describes none."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} is not a logical form, such as container(Ann, 5, apple)")
    kind, parts = match[1], match[2].split(", ")
    try:
        if kind == "container":
            agent, number, thing = parts
            return Container(agent, int(number), _thing(thing))
        if kind == "comparison":
            agent, relation, other, number, thing = parts
            if relation in ("+", "-", "*", "/"):
                return Comparison(agent, relation, other, int(number), _thing(thing))
        if kind == "transfer":
            receiver, sender, number, thing = parts
            return Transfer(receiver.strip("_"), sender.strip("_"), int(number), _thing(thing))
        if kind == "rate":
            agent, number, thing, per = parts
            return Rate(agent, int(number), _thing(thing), _thing(per))
        if kind in ("count", "total", "difference") and len(parts) == (2 if kind == "count" else 3):
            return Question(kind, tuple(parts[:-1]), _thing(parts[-1]))
    except ValueError:
        pass
    raise InputError(f"{text!r} is not a logical form, such as container(Ann, 5, apple)")


def _written(thing: Thing) -> str:
    entity, attribute, unit = thing
    if unit:
        return f"{entity}/{attribute}/{unit}"
    return f"{entity}/{attribute}" if attribute else entity


def _thing(text: str) -> Thing:
    return Thing(*text.split("/")) if text.count("/") <= 2 else Thing(text)


# Level 4, text: designs draw from a language's `vocabulary`, and its wording turns forms into text.


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
