"""Which rules, in which order: the cheap ones first; and what the search must know of a benchmark."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.repair.records import StepKind
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.result.record import or_least
from hansproof.generators.errors import Progress

__all__ = ["STEPS", "Bools", "Choice", "Look", "Named", "R", "Rewrite", "Subject", "choose_rules", "not_rewritten"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_EAGER = 4.0
"""The chosen items are fewer than all, and a weak cue is harder to see in them: alpha is so many times as large."""

Rewrite: TypeAlias = Callable[[Benchmark, dict[int, list[int]]], str]
"""Why items of a benchmark cannot be written back with their options in other orders; empty if they can. The orders are
by the place of the item: which option now stands first, second, ..., from 0."""


def not_rewritten(benchmark: Benchmark, orders: dict[int, list[int]]) -> str:
    """What `Rewrite` says if there is no source to write to."""
    return "there is no source to write them to"


class Named(Protocol):
    """What every rule says of itself."""

    @property
    def kind(self) -> StepKind:
        """The kind of step."""

    @property
    def words(self) -> str:
        """In words, for the table of steps."""


R = TypeVar("R", bound=Named)
"""The rules that a subject knows."""


@dataclass(frozen=True)
class Look:
    """What a look saw."""

    vectors: tuple[VectorResult, ...]
    """All counted vectors."""

    @property
    def strongest(self) -> VectorResult:
        """The counted vector with the largest matched kappa."""
        return max(self.vectors, key=lambda vector: or_least(vector.matched))

    @property
    def p(self) -> float:
        """The smallest corrected p of a vector; 1 if none has one."""
        return min((v.p_corrected for v in self.vectors if v.p_corrected is not None), default=1.0)

    def is_suspect(self, settings: Settings) -> bool:
        """Whether something may be wrong with the items."""
        return self.p < _alpha(settings)

    def strongest_suspect(self, settings: Settings) -> str:
        """The vector with the largest kappa of those that may be wrong."""
        alpha = _alpha(settings)
        return Look(tuple(vector for vector in self.vectors if vector.significant(alpha))).strongest.vector

    def shows(self, settings: Settings) -> bool:
        """Whether a vector is significant, and the strongest reaches the threshold."""
        return self.p < settings.alpha and (self.strongest.matched or 0.0) >= settings.threshold


def _alpha(settings: Settings) -> float:
    return min(_EAGER * settings.alpha, 0.5)


class Subject(ABC, Generic[R]):
    """N items on their way to a repaired benchmark; their order depends on their texts alone.

    `rows` and the like are (N,) truth values. Nobody changes a subject: `applied` gives another one.
    """

    settings: Settings
    order: list[int]
    """(N,) the place of each item in the benchmark."""
    groups: Ints
    """(N,) group numbers; groups are never parted."""
    chosen: Bools
    """(N,) the items that rules are chosen on; the others are held out."""
    not_reordered: str = ""
    """Why options that should be reordered cannot be; empty if they can, or need not be."""

    @abstractmethod
    def look(self, rows: Bools) -> Look:
        """Cross-fit the counted vectors on some of the items."""

    @abstractmethod
    def kappa_of(self, rows: Bools, vector: str) -> float | None:
        """The kappa of a vector, as a look at the same items has it."""

    @abstractmethod
    def candidates(self, rows: Bools, look: Look, may: Callable[[StepKind], bool]) -> Iterator[R]:
        """The rules worth trying now, the cheapest first; none if nothing is wrong with `rows`, which are chosen items.

        `look` is the one at them, `may` says which kinds of steps may be taken.
        """

    @abstractmethod
    def applied(self, rule: R, rows: Bools, step: int) -> tuple[Subject[R], Bools]:
        """What a rule makes of the items of `rows`, which are in both parts: the subject, and the rows that stay."""

    @abstractmethod
    def is_enough(self, before: Bools, now: Bools) -> bool:
        """Whether `now` has enough left of the items `before`, in each part, to be cross-fitted."""

    @abstractmethod
    def part(self, rows: Bools) -> Benchmark:
        """Some of the items as a benchmark whose groups are declared to be those of all items."""

    @abstractmethod
    def left(self, rows: Bools) -> Benchmark:
        """The same as anyone would read it: groups that nobody declared must be inferred again."""

    def moved(self, item: int) -> list[int] | None:
        """Which option of the source stands first, second, ... in an item now, from 0; None if none was moved."""
        return None


# The search never reads the answers of held-out items; rules are applied to them, but what becomes of them
# decides nothing here, except that all items count towards the floor.

STEPS: tuple[StepKind, ...] = get_args(StepKind)
"""The kinds of steps, in the order in which they are tried."""

_MOST = {"positions": 3, "answers": 1, "cue": 12, "match": 8, "templates": 2, "filter": 10}


@dataclass(frozen=True)
class Choice(Generic[R]):
    """A rule and what it leaves; the first choice has no rule."""

    subject: Subject[R]
    """The items as the rule leaves them: removed ones are still there, but reordered options are reordered."""
    rule: R | None
    kept: Bools
    look: Look
    """At the chosen items that are left."""


@dataclass(frozen=True)
class Search(Generic[R]):
    """The rules that were applied, and how it ended."""

    choices: list[Choice[R]]
    """The state before, then one per rule."""
    floor: R | None
    """The rule that would have gone below the floor; None if none would."""
    satisfied: bool
    """Whether nothing is wrong with the chosen items that are left, as far as they can show."""


def choose_rules(subject: Subject[R], kinds: Sequence[str], keep_at_least: float, progress: Progress) -> Search[R]:
    """Choose and apply rules until no cue is seen among the chosen items, no rule is left, or the floor is reached."""
    kept = np.ones(len(subject.order), dtype=np.bool_)
    progress("choosing rules", 0, 1)
    last = Choice(subject, None, kept, subject.look(kept & subject.chosen))
    choices = [last]
    used = dict.fromkeys(STEPS, 0)

    def may(kind: StepKind) -> bool:
        return kind in kinds and used[kind] < _MOST[kind]

    while True:
        rejected, satisfied = None, True
        for rule in last.subject.candidates(last.kept & subject.chosen, last.look, may):
            satisfied = False
            now, kept = last.subject.applied(rule, last.kept, len(choices))
            used[rule.kind] += 1
            if kept.sum() < keep_at_least * len(kept) or not subject.is_enough(last.kept, kept):
                rejected = rejected or rule
                continue
            if kept.sum() == last.kept.sum() and now is last.subject:
                continue
            progress(f"choosing rules: {len(choices)}", 0, 1)
            last = Choice(now, rule, kept, now.look(kept & subject.chosen))
            choices.append(last)
            break
        else:
            return Search(choices, rejected, satisfied and not last.look.is_suspect(subject.settings))
