"""The same items under other seeds and in another order: the verdict should stay what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from error_rates.scenario import VERDICTS, Expected, Row, Scenario
from error_rates.scenarios.planting import even, plant, rows
from error_rates.texts import Texts
from hansproof.generators.stream import Stream

__all__ = ["SEEDS", "stability"]

SEEDS = 20

_MOST = 600
"""Items of a file that the run list audits; all of them on request."""

_ANY = Expected(frozenset(VERDICTS))
"""Which word is right is not known here; what counts is the share of the most frequent one."""


def stability(texts: Sequence[Texts]) -> Iterator[Scenario]:
    """Each of the texts with its own answers, the first 600 items and all of them, and one borderline cue."""
    for known in texts:
        sizes = dict.fromkeys((min(_MOST, len(known.prompts)), len(known.prompts)))
        for n in sizes:
            yield Scenario(
                family="same items, other seeds and orders",
                case="groups as the file gives them" if known.groups else "groups found",
                texts=known.name,
                n=n,
                expected=_ANY,
                make=_own(known, n),
                repeats=SEEDS if n <= _MOST else 0,
                same_data=True,
            )
    known = texts[0]
    for kappa in (0.0, 0.25):
        yield Scenario(
            family="same items, other seeds and orders",
            case="answers planted",
            texts=known.name,
            n=400,
            expected=_ANY,
            make=_planted(known, 400, kappa),
            repeats=SEEDS,
            kappa=kappa,
            same_data=True,
        )


def _own(texts: Texts, n: int) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        groups = None if texts.groups is None else texts.groups[:n]
        return rows(texts.prompts[:n], texts.answers[:n], groups)

    return make


def _planted(texts: Texts, n: int, kappa: float) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        prompts = texts.draw(n, stream.child("texts"))
        return plant("one word", prompts, even(len(prompts), 2, stream.child("answers")), kappa, stream)

    return make
