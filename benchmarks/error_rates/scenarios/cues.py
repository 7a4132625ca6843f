"""A cue of known strength planted into real texts: words, synonyms, length and format, and a rare answer's word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from error_rates.scenario import Expected, Row, Scenario
from error_rates.scenarios.planting import LABELS, even, insert, plant, rows, skewed, synonyms
from error_rates.texts import Texts
from hansproof.generators.stream import Stream

__all__ = ["STRENGTHS", "cues", "expected_of"]

STRENGTHS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)

_SPARE = 0.2
"""CLEAN states that four in five cues of this strength would have been found."""

_RARE = Expected(frozenset({"LEAKS"}), frozenset({"TRACES", "INCONCLUSIVE"})).at_most(0.05)


def expected_of(kappa: float, n: int, cue: str) -> Expected:
    """What a benchmark with a cue of this strength may be called.

    The threshold is .2. Below it, TRACES is right; at .1, LEAKS is an error of which 1 % is allowed. From .2 on, CLEAN
    is wrong. At .3, a single word must be found at n = 1,000.
    """
    if kappa < 0.15:
        words = Expected(frozenset({"TRACES"}), frozenset({"CLEAN", "INCONCLUSIVE"}))
        return words.at_most(0.01, "LEAKS")
    if kappa < 0.2:
        return Expected(frozenset({"TRACES"}), frozenset({"LEAKS", "CLEAN", "INCONCLUSIVE"}))
    if kappa < 0.3:
        return Expected(frozenset({"LEAKS", "TRACES"}), frozenset({"INCONCLUSIVE"}))
    strong = Expected(frozenset({"LEAKS"}), frozenset({"TRACES", "INCONCLUSIVE"}))
    if cue == "one word" and n >= 1000:
        return strong.at_least(0.95)
    return strong.at_most(_SPARE, "CLEAN")


def cues(texts: Sequence[Texts]) -> Iterator[Scenario]:
    """All kinds of cue at all strengths, on each of the texts; most repeats are on the first."""
    for known in texts:
        first = known is texts[0]
        for kappa in STRENGTHS:
            for n in (300, 1000, 2000):
                if n <= len(known.prompts):
                    yield _cue(known, "one word", kappa, n, _repeats(kappa, n, first))
            for cue in ("10 synonyms", "50 synonyms"):
                for n in (300, 1000, 2000):
                    if n <= len(known.prompts) and kappa >= 0.2:
                        yield _cue(known, cue, kappa, n, (8 if n == 1000 else 2) if first and kappa >= 0.3 else 0)
            for cue in ("length", "double blank", "capitals"):
                yield _cue(known, cue, kappa, 600, 10 if first and kappa >= 0.3 else 0)
        for rare, common in ((0.6, 0.2), (0.8, 0.25)):
            yield Scenario(
                family="rare answer with a cue",
                case=f"20 % rare, P(word) {rare:g} / {common:g}",
                texts=known.name,
                n=1000,
                expected=_RARE,
                make=_rare(known, 1000, rare, common),
                repeats=10 if first else 3,
            )


def _repeats(kappa: float, n: int, first: bool) -> int:
    if not first:
        often = {300: 10, 1000: 4, 2000: 0} if kappa in (0.1, 0.3) else {300: 4, 1000: 0, 2000: 0}
        return often[n]
    if n == 300:
        return 200 if kappa == 0.1 else 20
    if n == 1000:
        return 30 if kappa == 0.3 else 8
    return 1


def _cue(texts: Texts, cue: str, kappa: float, n: int, repeats: int) -> Scenario:
    def make(stream: Stream) -> list[Row]:
        prompts = texts.draw(n, stream.child("texts"))
        return plant(cue, prompts, even(len(prompts), 2, stream.child("answers")), kappa, stream)

    return Scenario(
        family=f"cue: {cue}",
        case="balanced",
        texts=texts.name,
        n=n,
        expected=expected_of(kappa, n, cue),
        make=make,
        repeats=repeats,
        kappa=kappa,
        coverage=True,
    )


def _rare(texts: Texts, n: int, rare: float, common: float) -> Callable[[Stream], list[Row]]:
    """One word, more frequent among the fifth of items with the rare answer."""

    def make(stream: Stream) -> list[Row]:
        prompts = texts.draw(n, stream.child("texts"))
        answers = skewed(len(prompts), 2, stream.child("answers"))
        [[word], _] = synonyms(2, 1, prompts, stream.child("words"))
        draws = stream.child("hints")
        shares = [round(1_000_000 * (rare if answer == LABELS[0] else common)) for answer in answers]
        cued = [
            insert(text, word, draws) if draws.chance(share, 1_000_000) else text
            for text, share in zip(prompts, shares, strict=True)
        ]
        return rows(cued, answers)

    return make
