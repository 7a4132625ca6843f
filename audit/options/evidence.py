"""Why the probe knows: n-grams of right options against the base rate, and the items that give themselves away."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import largest_within
from audit.options.crossfit import Bed, ViewScores
from audit.options.items.pool import Pool
from audit.options.views import View, shown_ngram
from audit.probes.evidence import Evidence, shown_model
from audit.probes.kappas import MeasuredScheme
from audit.result.explanation import Cue, Giveaway, ItemScore, Occurrence
from audit.result.record import or_least

Floats = NDArray[np.float64]

__all__ = ["RIGHT", "WRONG", "OptionEvidence", "best_ngram_view", "item_scores", "letter"]

WRONG, RIGHT = "a wrong option", "the right option"
"""What an n-gram points to."""

_SHOWN = 10


def letter(place: int) -> str:
    """`A` for the first option."""
    return chr(ord("A") + place)


def best_ngram_view(scheme: MeasuredScheme[ViewScores], named: str) -> ViewScores:
    """The scores of the view `named` if it has n-grams to show, otherwise of the strongest that has."""
    if _has_ngrams(scheme.of(named).view):
        return scheme.of(named)
    kappas = {entry.vector: or_least(entry.matched) for entry in scheme.result.vectors}
    return max((of for of in scheme.scores if _has_ngrams(of.view)), key=lambda of: kappas[of.view.name])


def _has_ngrams(view: View) -> bool:
    return view.vector.kind == "ngram" and view.table != "whole"


class OptionEvidence:
    """The probe of one view, refitted on all options, and only to be looked at."""

    def __init__(self, bed: Bed, scores: ViewScores) -> None:
        self._pool, self._scores = bed.pool, scores
        self.how = shown_model(scores.regularisation, bed.fitting.candidates)
        """The regression behind the weights."""
        y, table = bed.pool.answers(bed.pool.gold), bed.tables[scores.view.table]
        self._evidence = Evidence(table, y, (WRONG, RIGHT), scores.view.vector, self.how)

    def cues(self) -> list[Cue]:
        """The n-grams with the largest standardised weight for right and for wrong options."""
        return [msgspec.structs.replace(cue, ngram=shown_ngram(cue.ngram)) for cue in self._evidence.cues()]

    def giveaways(self, ids: list[str]) -> list[Giveaway]:
        """The items whose right option stands out most from the others, out of fold, and why; `ids` are (n,).

        The lead over the next option chooses them, because 1/2 means less where there are two options than where there
        are ten; they are listed by the probability of the right option, which reports show.
        """
        pool, scores = self._pool, self._scores
        share = shares_of(pool, scores)
        gold = share[pool.gold]
        others = share.copy()
        others[pool.gold] = 0.0
        lead = gold - largest_within(others, pool.start)
        best = np.lexsort((np.arange(pool.n), -np.round(lead, 10)))[:_SHOWN]
        shown = sorted(best[lead[best] > 0].tolist(), key=lambda item: -round(float(gold[item]), 10))
        return [self._giveaway(item, ids, share) for item in shown]

    def _giveaway(self, item: int, ids: list[str], share: Floats) -> Giveaway:
        pool, first, gold = self._pool, int(self._pool.start[item]), int(self._pool.gold[item])
        prompt, offset = _shown(pool, item)
        marks: list[Occurrence] = []
        if self._scores.view.table == "option":  # in marked texts, places are those of the marked text
            marks = [
                msgspec.structs.replace(mark, start=mark.start + offset, end=mark.end + offset)
                for mark in self._evidence.occurrences(gold, 1)
            ]
        picked = first + int(share[first : int(pool.start[item + 1])].argmax())
        return Giveaway(
            id=ids[item],
            prompt=prompt,
            answer=f"{letter(gold - first)}. {pool.texts[gold]}",
            predicted=f"{letter(picked - first)}. {pool.texts[picked]}",
            probability=float(share[gold]),
            cues=marks,
        )


def shares_of(pool: Pool, scores: ViewScores) -> Floats:
    """(R,) the probability of each option among those of its item: they add up to 1."""
    total = np.add.reduceat(scores.probabilities, pool.start[:-1])
    equal = 1 / pool.size[pool.item]
    safe = np.where(total > 0, total, 1.0)[pool.item]
    return np.asarray(np.where(total[pool.item] > 0, scores.probabilities / safe, equal))


def _shown(pool: Pool, item: int) -> tuple[str, int]:
    """Question and options as one text, and where the text of the right option begins in it."""
    text, offset = pool.questions[item].rstrip(), 0
    for place, row in enumerate(range(int(pool.start[item]), int(pool.start[item + 1]))):
        text += f"\n{letter(place)}. "
        offset = len(text) if row == pool.gold[item] else offset
        text += pool.texts[row]
    return text, offset


def item_scores(
    pool: Pool, measured: MeasuredScheme[ViewScores], view: str, groups: NDArray[np.int64], ids: list[str]
) -> list[ItemScore]:
    """The option chosen for each item out of fold and its probability, in source order; `ids` are (n,)."""
    scores = measured.of(view)
    share = shares_of(pool, scores)
    rows = []
    for item in sorted(range(pool.n), key=pool.source.__getitem__):
        first, last, gold = int(pool.start[item]), int(pool.start[item + 1]), int(pool.gold[item])
        picked = first + int(share[first:last].argmax())
        rows.append(
            ItemScore(
                id=ids[item],
                answer=pool.texts[gold],
                predicted=pool.texts[picked],
                correct=picked == gold,
                probability=float(share[gold]),
                probabilities=dict(zip(pool.texts[first:last], map(float, share[first:last]), strict=True)),
                group=int(groups[item]),
                vector=view,
                scheme=measured.result.scheme,
            )
        )
    return rows
