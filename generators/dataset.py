"""Dataset: a family as the rest of hansproof knows it: subsets, forms of answer, hypotheses, figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from hansproof.generators.answering.plain_scorer import PLAIN
from hansproof.generators.answering.scorer import Scorer
from hansproof.generators.episode import Episode, Player, Record
from hansproof.generators.errors import UsageError, unknown
from hansproof.generators.item import METADATA_KEYS, Item
from hansproof.generators.stream import Stream

__all__ = [
    "LEVEL",
    "NUMBER",
    "OPTION",
    "AnswerForm",
    "Dataset",
    "Draft",
    "ErrorScheme",
    "Expectation",
    "Figure",
    "Hypothesis",
    "Knob",
    "MatchedConditions",
    "ProvenError",
    "Subset",
    "base_of",
    "check_seed",
    "form_of",
]

# How a prompt wants its answer put, so that prompt styles can ask for exactly that.


def gold(item: Item) -> str:
    """The gold answer in its canonical form; empty where nothing is right."""
    return item.answer or ""


@dataclass(frozen=True)
class AnswerForm:
    """How an answer is to be put."""

    name: str
    """`option`, `number`, `text`, `identities`: what messages call it."""
    request: Callable[[Item], str]
    """A sentence that asks for the answer alone: `Answer with one number in digits and nothing else.`"""
    solution: Callable[[Item], str] = gold
    """The gold answer as the prompt wants it put, for solved examples."""
    reasoning: Callable[[Item], str] | None = None
    """The steps to the gold answer in words, for solved examples with reasoning; None where nobody has written them.
    Empty for an item whose steps would be too long for an example."""
    closed: bool = False
    """Whether the answers of a subset are a few labels, so that the audit can try to predict them."""


_LONG = 80
"""Characters of options beyond which a request does not repeat them."""


def _options(item: Item) -> str:
    choices = item.choices or ()
    listed = ", ".join(choices[:-1]) + f" or {choices[-1]}" if len(choices) > 1 else "".join(choices)
    if len(listed) > _LONG:
        return "Answer with one of the options, and nothing else."
    return f"Answer with {listed}, and nothing else."


OPTION = AnswerForm("option", _options, closed=True)
"""One of the item's choices, as written."""

NUMBER = AnswerForm("number", lambda item: "Answer with one number in digits, and nothing else.")
"""One number in digits."""

TEXT = AnswerForm("text", lambda item: "Give the answer alone, without any explanation.")
"""A few words."""


def form_of(item: Item) -> AnswerForm:
    """The form of an item whose family is unknown, told from its choices and its gold answer."""
    if item.choices:
        return OPTION
    return NUMBER if item.answer is not None and re.fullmatch(r"-?[0-9]+([.,/][0-9]+)*", item.answer) else TEXT


@dataclass(frozen=True)
class ProvenError:
    """An error that a program has proved."""

    category: str
    line: int
    """Of the reply, from 1."""
    detail: str
    """What is wrong there, in words."""


@dataclass(frozen=True)
class ErrorScheme:
    """A family's kinds of error."""

    categories: Mapping[str, str]
    """Short name -> what the error is, in the order of the form."""
    prove: Callable[[Item, str], Sequence[ProvenError]]
    """(item, reply) -> errors that are certain. It never proves that there is none."""


class Figure(NamedTuple):
    """A number about all items of a release, with the bounds that it must keep."""

    name: str
    """`distinct 4-grams`."""
    meaning: str
    """What it is, as a clause: `different 4-grams among all, with names, numbers and nouns masked`."""
    value: float
    """NaN where it is undefined, which keeps no bound."""
    least: float | None = None
    most: float | None = None


# `hansproof score --test mcnemar` tests hypotheses on the replies of models.

Expectation = Literal["better", "worse", "either"]
"""What the change does to the answers: more of them are right, fewer, or one of the two without saying which."""


@dataclass(frozen=True)
class Hypothesis:
    """One change and what is expected of it."""

    name: str
    """`H4`: unique within a family."""
    statement: str
    """What is changed and what is expected, as one sentence."""
    subsets: tuple[str, ...]
    """Whose items it is about; pairs of all of them are counted together."""
    changes: tuple[tuple[str, str], ...]
    """(before, after), each tested by itself: conditions of items of one group, or prompt styles of one item."""
    expects: Expectation
    styles: bool = False
    """Whether `changes` are prompt styles, so that an item is its own twin; conditions otherwise."""
    conditions: tuple[str, ...] = ()
    """For styles: only items of these conditions count, so that no group counts twice; all where it is empty. Subsets
    with conditions of their own are named together: each needs at least one of them."""
    shared: tuple[str, ...] = ()
    """Keys of `Item.metadata`, the first of which an item has says what several pairs may share (a story, a person), so
    that they are not independent of each other; empty where no pair has anything in common with another."""


@dataclass(frozen=True)
class MatchedConditions:
    """The conditions of matched items: one original, and one or more perturbations of it within the same group."""

    original: str
    perturbed: tuple[str, ...]
    """The effect of each is the accuracy on the original less the accuracy on it."""
    forms: bool = False
    """Whether they are surface forms of the original (`names-1`, `names-2`): the spread of the answers over all of them
    is reported instead of an effect each."""


@dataclass(frozen=True)
class Knob:
    """How hard the items of a subset are made: `hansproof generate NAME -s SUBSET --difficulty LEVEL`.

    Items at a level are a subset of their own, SUBSET@LEVEL, in ids, streams and files; no release has them.
    """

    meaning: str
    """What a level counts, as a plural noun: `steps of the chain`."""
    least: int
    most: int
    shown: str
    """What was measured to move with the level, as a clause: `a solver needs 8 conflicts at 5, 310 at 60`."""
    make: Callable[[Stream, int, int], Draft]
    """(the dataset's stream, level, index) -> the item, as `Dataset.make` does."""


LEVEL = "@"
"""Between the name of a subset and a level of its knob."""


def base_of(subset: str) -> str:
    """The name of a subset without the level of its knob: `nonlinear` for `nonlinear@24`, else `subset` itself."""
    return subset.partition(LEVEL)[0]


@dataclass(frozen=True)
class Subset:
    """One file of a release, and one configuration of its card."""

    rows: int
    """Items in a release. You can always generate more, unless `limit` says otherwise."""
    description: str
    """One sentence: what it contains and what it is for."""
    form: AnswerForm = TEXT
    """How its prompts want the answer put."""
    limit: int | None = None
    """How many different items exist, where they are few; None where they are beyond counting."""
    copies: int = 1
    """How often each prompt occurs by design. Where it is 1, a release that repeats a prompt is refused."""
    matched: MatchedConditions | None = None
    """Which conditions of a group are compared; None where items stand alone."""
    audit_target: str = ""
    """For open answers: the key of `metadata` that the audit tries to predict from the prompt instead."""
    exploit: str = ""
    """A shortcut that works here by design (a planted cue, a paper's unbalanced set), as a clause; empty where the
    audit must find none. A release with an undeclared shortcut is refused."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """Hints that fit this subset alone; they replace those of the dataset with the same name."""
    examples: Mapping[str, Callable[[str], Draft]] = field(default_factory=dict)
    """Solved examples of the family's own, by the names that prompt styles give them (`linda`, `bob`, `wrong`): the
    name of the subset -> the example. Other examples are drawn."""
    balanced: bool = False
    """Whether the design promises that no blind strategy beats chance; a release that breaks the promise is refused."""
    variant: bool = False
    """Whether it repeats another subset in other words, so that episodes of it are played only where it is named."""
    knob: Knob | None = None
    """How its items are made harder or easier; None where nothing does that."""

    @property
    def labels(self) -> bool:
        """Whether the answers are a few labels, which the audit can try to predict."""
        return self.form.closed


@dataclass(frozen=True)
class Draft:
    """What a family makes of an item; `Dataset.item` adds its id and what every item has."""

    prompt: str
    choices: tuple[str, ...] | None
    answer: str | None
    group: str
    condition: str
    metadata: dict[str, Any]
    """The family's own design variables."""


@dataclass(frozen=True)
class Dataset:
    """A family of items: identity, behaviour, and how its replies are scored."""

    name: str
    """`knights-knaves`: in ids, paths and on the command line."""
    version: str
    """MAJOR.MINOR.PATCH of the generator: it changes whenever the bytes do."""
    title: str
    summary: str
    """One sentence: what it measures."""
    seed: int
    """The seed of the frozen release."""
    subsets: Mapping[str, Subset]
    """By name, in the order of the release."""
    make: Callable[[Stream, str, int], Draft]
    """(the dataset's stream, subset, index) -> the item, the same whatever is made before, beside or after it. It may
    keep what it drew for one stream, but must find it by that very stream."""
    check: Callable[[Item], list[str]]
    """The faults of an item, found by a second way of solving it; empty where all is well."""
    authors: str = "The hansproof authors"
    """Who made it, for the card and its citation."""
    licence: str = "CC-BY-4.0"
    """The SPDX name of the licence of the items."""
    unproved: str = ""
    """Why no second way finds a wrong gold answer, as a clause; empty where `check` does."""
    scorer: Scorer = PLAIN
    factors: tuple[str, ...] = ()
    """Keys of `metadata` that are design factors and pairwise independent within each subset."""
    slices: tuple[tuple[str, ...], ...] = ()
    """Keys of `metadata`, alone or together, by whose values scores and effects are also shown."""
    expertise: str = "problems of this kind"
    """What the items are, as prompt styles with a persona call it: `logic puzzles`."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """Hints that prompt styles may give, by name (`weak`, `strong`), in words that fit the family."""
    episode: Callable[[Item], Episode] | None = None
    """Starts the episode of an item; None where items are answered, not played."""
    records: Callable[[Item, Sequence[str]], list[Record]] | None = None
    """(item, the actions of its finished run) -> the trials of the run, in order, with the same columns in all items of
    a subset; None where items are answered. Raises InputError for an illegal action and an unfinished run."""
    figures: Callable[[Mapping[str, Sequence[Item]]], Sequence[Figure]] | None = None
    """(subset -> its items) -> the figures that a release promises; one that misses a bound is refused."""
    turns: Callable[[Item], int] | None = None
    """How many actions a run of an item takes, or about how many; None where nobody knows."""
    players: Mapping[str, Player] = field(default_factory=dict)
    """The agents that play its items without a language model, by name, the simplest first."""
    errors: ErrorScheme | None = None
    """The kinds of error in reasoning that people mark in replies; None where the family has no such scheme."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """What is expected of the answers when something that does not matter is changed; tested by `score --test`."""

    def __post_init__(self) -> None:
        for name in (self.name, *self.subsets):
            if not re.fullmatch("[A-Za-z0-9]+(-[A-Za-z0-9]+)*", name):
                raise UsageError(f"the name {name!r} has other characters than letters, digits and single -")
        if not re.fullmatch(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}", self.version):
            raise UsageError(f"the version {self.version!r} of {self.name} is not MAJOR.MINOR.PATCH")

    @property
    def canary(self) -> str:
        """The string in every row by which a leaked training set is recognised; it occurs nowhere else."""
        return _canary(self.name, self.version)

    def stream(self, seed: int) -> Stream:
        """The root of everything drawn for `seed`: one object per seed, so that families can keep what they drew."""
        return _stream(self.name, self.version, seed)

    def find(self, name: str) -> Subset | None:
        """The subset called `name`, also at a level of its knob (`nonlinear@24`); None where there is none."""
        if name in self.subsets:
            return self.subsets[name]
        subset, level = self.subsets.get(base_of(name)), _level(name)
        if subset is None or subset.knob is None or level is None or not subset.knob.least <= level <= subset.knob.most:
            return None
        return replace(subset, balanced=False, limit=None)  # what is promised and counted, is so of the release

    def subset(self, name: str) -> Subset:
        """The subset called `name`, also at a level. Raises UsageError with the known names, or the known levels."""
        subset = self.find(name)
        if subset is not None:
            return subset
        base = base_of(name)
        if base == name or base not in self.subsets:
            raise unknown("subset", name, self.subsets, within=self.name)
        knob = self.subsets[base].knob
        if knob is None:
            having = [each for each, subset in self.subsets.items() if subset.knob is not None]
            which = f"these have: {', '.join(having)}" if having else "no subset has"
            raise UsageError(f"{self.name}/{base} has no levels of difficulty; {which}")
        raise UsageError(
            f"the difficulty of {self.name}/{base} ({knob.meaning}) is a whole number from {knob.least} to "
            f"{knob.most}, not {name.partition(LEVEL)[2]!r}"
        )

    def item(self, subset: str, seed: int, index: int) -> Item:
        """Item `index` of a subset under `seed`; `nonlinear@24` makes those of a subset at a level of its knob.

        Raises UsageError for an unknown subset or level, a seed beyond 64 bits, a negative index, and an index beyond
        the last different item.
        """
        about = self.subset(subset)
        check_seed(seed)
        if index < 0:
            raise UsageError(f"an index must be 0 or more, not {index}")
        if about.limit is not None and index >= about.limit:
            raise UsageError(
                f"{self.name}/{subset} has only {about.limit:,} different items, with indices below {about.limit}, "
                f"not {index}"
            )
        if LEVEL not in subset or about.knob is None:
            draft = self.make(self.stream(seed), subset, index)
        else:
            level = int(subset.partition(LEVEL)[2])
            draft = about.knob.make(self.stream(seed), level, index)
            draft = replace(draft, metadata={**draft.metadata, "difficulty": level})
        if not isinstance(draft, Draft):
            raise UsageError(f"`make` of {self.name}/{subset} gives a {type(draft).__name__}, not a Draft")
        return self.complete(draft, subset, seed, index)

    def told_apart(self, item: Item) -> tuple[object, ...]:
        """What makes an item different from others: its prompt and choices, and where it is played, all that it holds.

        Two games with one story are two items if other things can happen in them.
        """
        if self.episode is None:
            return item.prompt, item.choices
        own = sorted((key, repr(value)) for key, value in item.metadata.items() if key not in METADATA_KEYS)
        return item.prompt, item.choices, *own

    def complete(self, draft: Draft, subset: str, seed: int, index: int) -> Item:
        """The item that `draft` becomes: with its id, and the metadata that every item has."""
        return Item(
            f"{self.name}/{self.version}/{subset}/{index:06d}",
            draft.prompt,
            draft.choices,
            draft.answer,
            draft.group,
            draft.condition,
            {
                "dataset": self.name,
                "version": self.version,
                "subset": subset,
                "seed": seed,
                "canary": self.canary,
                **draft.metadata,
            },
        )


def _level(subset: str) -> int | None:
    """The level in the name of a subset; None where it names none that is written as `str` writes it."""
    level = subset.partition(LEVEL)[2]
    return int(level) if re.fullmatch(r"0|[1-9][0-9]{0,5}", level) else None


@cache
def _canary(name: str, version: str) -> str:
    digest = blake2b(f"canary {name} {version}".encode(), digest_size=16).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:]))


@lru_cache(64)
def _stream(name: str, version: str, seed: int) -> Stream:
    return Stream(seed, name, version)


def check_seed(seed: int) -> None:
    """Raise UsageError unless `seed` is a whole number of 64 bits: every item carries it, and 1.0 is not 1 there."""
    if type(seed) is not int:
        raise UsageError(f"the seed must be a whole number, not {seed!r}")
    if not -(2**63) <= seed < 2**63:
        raise UsageError(f"the seed {seed} does not fit into 64 bits")
