"""Nothing to find: answers permuted over items, with balanced and unbalanced answers, duplicates and a joined pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from error_rates.scenario import Expected, Row, Scenario
from error_rates.scenarios.planting import even, plant, rows, skewed
from error_rates.texts import Texts
from hansproof.generators.stream import Stream

__all__ = ["nulls"]

_CLEAN = Expected(frozenset({"CLEAN"}), frozenset({"INCONCLUSIVE"})).at_most(0.02)
_SKEWED = Expected(frozenset({"IMBALANCED"}), frozenset({"CLEAN", "INCONCLUSIVE"})).at_most(0.02)
_TRIPLED = Expected(frozenset({"TEMPLATE-BOUND", "CLEAN"}), frozenset({"INCONCLUSIVE"})).at_most(0.02)
_PAIR = Expected(frozenset({"LEAKS", "TRACES"}), frozenset({"INCONCLUSIVE", "CLEAN"})).at_most(0.02, "TEMPLATE-BOUND")

Answering = Callable[[int, int, Stream], list[str]]


def nulls(texts: Sequence[Texts]) -> Iterator[Scenario]:
    """All of them, on each of the texts; most repeats are on the first."""
    for known in texts:
        first = known is texts[0]
        for n, k, answering, repeats in (
            (300, 2, even, 40 if first else 15),
            (300, 3, even, 15 if first else 5),
            (300, 4, even, 15 if first else 5),
            (300, 2, skewed, 15 if first else 5),
            (600, 2, even, 20 if first else 6),
            (600, 3, even, 3),
            (600, 4, even, 3),
            (600, 2, skewed, 3),
            (1000, 2, even, 12 if first else 3),
            (1000, 3, even, 2),
            (1000, 4, even, 2),
            (1000, 2, skewed, 2),
        ):
            unbalanced = answering is skewed
            yield Scenario(
                family="answers permuted over items",
                case=f"k = {k}, {'80/20' if unbalanced else 'balanced'}",
                texts=known.name,
                n=n,
                expected=_SKEWED if unbalanced else _CLEAN,
                make=_permuted(known, n, k, answering),
                repeats=repeats,
                coverage=True,
            )
        yield Scenario("duplicates", "every row three times under unique group ids, answers permuted over texts",
                       known.name, 900, _TRIPLED, _tripled(known, 300), 8 if first else 3)  # fmt: skip
        yield Scenario("one joined pair", "answers permuted over items", known.name, 300,
                       _CLEAN, _pair(known, 300, 0.0), 20 if first else 0)  # fmt: skip
        yield Scenario("one joined pair", "a cue of one word", known.name, 300,
                       _PAIR, _pair(known, 300, 0.2), 20 if first else 0, kappa=0.2)  # fmt: skip


def _permuted(texts: Texts, n: int, k: int, answering: Answering) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        prompts = texts.draw(n, stream.child("texts"))
        return rows(prompts, answering(len(prompts), k, stream.child("answers")))

    return make


def _tripled(texts: Texts, n: int) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        prompts = texts.draw(n, stream.child("texts"))
        made = rows(prompts, even(len(prompts), 2, stream.child("answers")))
        copies = [{**row, "group": f"id-{number}"} for number, row in enumerate(made * 3)]
        return stream.child("order").shuffled(copies)

    return make


def _pair(texts: Texts, n: int, kappa: float) -> Callable[[Stream], list[Row]]:
    """All items are groups of their own, except two with one answer."""

    def make(stream: Stream) -> list[Row]:
        prompts = texts.draw(n, stream.child("texts"))
        answers = even(len(prompts), 2, stream.child("answers"))
        made = plant("one word", prompts, answers, kappa, stream) if kappa else rows(prompts, answers)
        partner = answers.index(answers[0], 1)
        return [{**row, "group": str(0 if number == partner else number)} for number, row in enumerate(made)]

    return make
