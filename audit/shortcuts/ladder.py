"""The ladder of shortcuts: its rungs, the kappa of each, the simplest that is enough, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hansproof.audit.notation import drawn, kappa, per_cent, things
from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.probes.kappas import number
from hansproof.audit.result.audit_result import VectorResult
from hansproof.audit.result.shortcuts import Ladder, Rung, SingleNgram
from hansproof.audit.shortcuts.shared_folds import SharedFolds, chosen_in_training
from hansproof.audit.texts.vectors import Vector

__all__ = ["ITEMS", "FittedRung", "RungWords", "measure_ladder"]


class RungWords(NamedTuple):
    """How the rungs are spoken of."""

    labels: dict[str, str]
    """The rungs by stable name, simplest first, with their names in reports."""
    enough: dict[str, str]
    """What the name of a rung says if it is the simplest that is enough; n-gram and part are worded by what they are.
    """
    unit: str = "item"
    """What has an n-gram."""

    def mapped(self, worded: Callable[[str], str]) -> RungWords:
        """The same in other words."""
        labels, enough = ({name: worded(text) for name, text in of.items()} for of in (self.labels, self.enough))
        return RungWords(labels, enough, worded(self.unit))


ITEMS = RungWords(
    {
        "constant": "most common answer",
        "length": "length",
        "ngram": "one n-gram",
        "format": "format",
        "partial": "part of the prompt",
        "readability": "readability",
        "unigrams": "unigrams",
        "bigrams": "bigrams",
        "trees": "trees",
    },
    {
        "length": "the length of the text is enough",
        "format": "the format of the text (case, lines, blanks, punctuation) is enough",
        "readability": "the readability and diversity of the words are enough",
        "unigrams": "single words are enough",
        "bigrams": "words and pairs of words are needed",
        "trees": "combinations of words are needed",
    },
)

_SEES = {
    "length": "characters, words, sentences, digits",
    "format": "case, lines, blanks, punctuation",
    "readability": "readability and diversity of the words",
}


@dataclass(frozen=True)
class FittedRung:
    """One rung with its predictions, before it is measured."""

    name: str
    sees: str
    scores: Scores
    """Its vector has the name of the rung."""


def measure_ladder(
    on: SharedFolds,
    steps: Sequence[FittedRung],
    words: RungWords = ITEMS,
    *,
    uniform: float | None,
    ngram: SingleNgram | None = None,
) -> Ladder:
    """The rungs `steps` and those that the vectors of the audit make, above that of the constant.

    `uniform` is the uniform-chance kappa of the constant, and `ngram` the single n-gram of the rung of that name.
    Trees are a rung of their own: if they compete in this audit, the vectors are fitted once more without them.
    """
    trees = []
    linear = on.without_trees()
    if linear is not on:
        ngrams = [entry for entry in on.scores if entry.vector.kind == "ngram"]
        chosen, often = chosen_in_training(on.task, "trees", ngrams, on.folds())
        trees = [FittedRung("trees", f"{often.label} most often", chosen)]
    return climbed(on, [*steps, *_of_vectors(linear, steps, words), *trees], words, uniform=uniform, ngram=ngram)


def _of_vectors(on: SharedFolds, steps: Sequence[FittedRung], words: RungWords) -> list[FittedRung]:
    """The rungs that the cross-fitted vectors make, but for those that `steps` have; training chooses among several."""
    rungs = []
    for name in words.labels:
        having = [entry for entry in on.scores if _rung_of(entry.vector) == name]
        if having and name not in {step.name for step in steps}:
            chosen, often = chosen_in_training(on.task, name, having, on.folds())
            rungs.append(FittedRung(name, _SEES.get(name, f"{often.label} most often"), chosen))
    return rungs


def _rung_of(vector: Vector) -> str:
    """The name of the rung that a vector stands on."""
    if vector.table == "question":
        return vector.table
    if vector.table in ("others", "whole") or vector.name == "option-cues":
        return "others"
    return {1: "unigrams", 2: "bigrams"}.get(vector.n, vector.name)


_LONGEST = 60
"""Characters shown of an n-gram or an answer."""


def in_words(
    rungs: Sequence[Rung],
    best: str,
    enough: str | None,
    ngram: SingleNgram | None,
    margin: float,
    words: RungWords = ITEMS,
    *,
    grouped: bool = False,
) -> str:
    """One sentence on the rungs: which is `enough`, of which `best`, or that none is significant (`enough` is None).

    Below a kappa of `margin` there is little to predict, and the sentence begins with that. `grouped` says that items
    were held out in groups.
    """
    known = {rung.name: rung for rung in rungs}
    top = known[best]
    if enough is None:
        kinds = sum(rung.p is not None for rung in rungs)
        carries = " that carries over to other groups" if grouped else ""
        return (
            f"No simple cue{carries} was shown: of {kinds} kinds, none is significantly above kappa 0; the highest is "
            f"{kappa(top.kappa)} ({top.label})."
        )
    rung = known[enough]
    what = _what(rung, ngram, words)
    reached = f"kappa {kappa(rung.kappa)}" + ("" if enough == best else f" of {kappa(top.kappa)}")
    sentence = f"{what}, {reached}" if ":" in what else f"{what}: {reached}"
    if (
        enough in ("unigrams", "bigrams", "others", "question", "trees")
        and (simpler := _simpler(rungs, enough)) is not None
    ):
        sentence += f"; {_named(simpler, ngram)} reaches {kappa(simpler.kappa)}"
    if (top.kappa or 0.0) < margin:
        sentence = f"little can be predicted; of that, {sentence}"
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _what(rung: Rung, ngram: SingleNgram | None, words: RungWords) -> str:
    if rung.name == "partial":
        return f"{rung.sees} is enough"
    if rung.name == "length" and rung.sees.startswith(("the longest", "the shortest")):
        return f"{words.enough[rung.name]} ({rung.sees})"  # of options: which rule it is
    if rung.name != "ngram":
        return words.enough[rung.name]
    if ngram is None:
        return "one n-gram is enough"
    kinds = {("word", 1): "word", ("gpt2", 1): "token", ("word", 2): "pair of words"}
    kind = kinds.get((ngram.level, ngram.words), "pair of tokens")
    often = "" if ngram.chosen > 0.5 else f" (chosen in {per_cent(ngram.chosen, 0)} of the training sets)"
    hits = f"({ngram.count_label:,} of {things(ngram.count, words.unit)} with it)"
    return f"one {kind} is enough: {_quoted(ngram.ngram)}{often} → {_quoted(ngram.label)} {hits}"


def _simpler(rungs: Sequence[Rung], enough: str) -> Rung | None:
    """The best rung below `enough`, if it reaches anything."""
    names = [rung.name for rung in rungs]
    most = rungs[names.index(enough)].kappa or 0.0
    below = [rung for rung in rungs[: names.index(enough)] if 0 < (rung.kappa or 0.0) <= most]
    return max(below, key=lambda rung: rung.kappa or 0.0) if below else None


def _named(rung: Rung, ngram: SingleNgram | None) -> str:
    if rung.name == "ngram" and ngram is not None:
        return f"the best single n-gram, {_quoted(ngram.ngram)},"
    if rung.name == "partial":
        return rung.sees
    return f"the best simpler kind ({rung.label})"


def _quoted(text: str) -> str:
    shown = drawn(text)
    return f"“{shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '…'}”"


KEEPS = 0.8
"""Least share of the best rung's kappa that a simpler rung must keep to be enough: with few items, noise alone would
let any rung pass for as good as the best."""

NEGLIGIBLE = 0.01
"""A smaller difference of kappas is none, however sure it is."""


def climbed(
    on: SharedFolds,
    steps: Sequence[FittedRung],
    words: RungWords = ITEMS,
    *,
    uniform: float | None,
    ngram: SingleNgram | None = None,
) -> Ladder:
    """The rungs of `steps` (one or more, for all units each); `uniform` and `ngram` as in `measure_ladder`.

    Steps with different numbers of splits are tested apart and their p corrected for that (Bonferroni); differences are
    paired over the splits that both have.
    """
    order = list(words.labels)
    ordered = sorted(steps, key=lambda step: order.index(step.name))
    known = {step.name: step.scores.matched for step in ordered}
    measured = _measured(on, ordered)
    label, longest = words.labels["constant"], max(map(len, known.values()))
    rungs = [Rung(name="constant", label=label, sees="nothing", kappa=0.0, uniform=uniform, splits=longest)]
    for step in ordered:
        vector, p = measured[step.name]
        rungs.append(
            Rung(
                name=step.name,
                label=words.labels[step.name],
                sees=step.sees,
                kappa=vector.matched,
                low=vector.matched_low,
                high=vector.matched_high,
                uniform=vector.uniform,
                p=p,
                splits=len(known[step.name]),
            )
        )

    def half_width(first: str, second: str) -> float | None:
        """Half the width of the 95 % interval of the difference of two kappas; None where it is undefined."""
        both = min(len(known[first]), len(known[second]))
        wide = {"stretch": on.stretch.sampling, "stretched_by": on.stretch.degrees}
        spread = on.task.difference(known[first][:both], known[second][:both], on.groups, **wide)
        return number(spread.half_width()[0])

    best, enough = _simplest(rungs, half_width, on.settings.alpha)
    grouped = int(on.groups.max()) + 1 < len(on.task.gold)
    sentence = in_words(rungs, best, enough, ngram, on.settings.margin, words, grouped=grouped)
    return Ladder(sentence=sentence, enough=enough, best=best, rungs=rungs, ngram=ngram)


def _measured(on: SharedFolds, steps: Sequence[FittedRung]) -> dict[str, tuple[VectorResult, float | None]]:
    """Each rung's numbers, and its p corrected for all rungs."""
    numbers = list(dict.fromkeys(len(step.scores.matched) for step in steps))
    results: dict[str, tuple[VectorResult, float | None]] = {}
    for splits in numbers:
        for vector in on.measured([step.scores for step in steps if len(step.scores.matched) == splits]):
            p = None if vector.p_corrected is None else min(1.0, len(numbers) * vector.p_corrected)
            results[vector.vector] = vector, p
    return results


def _simplest(
    rungs: Sequence[Rung], half_width: Callable[[str, str], float | None], alpha: float
) -> tuple[str, str | None]:
    """The best rung, and the simplest within noise of it; None if no rung is significant.

    Within noise: the 95 % interval of the paired difference from the best includes 0 (or the difference is below
    `NEGLIGIBLE`), at least `KEEPS` of its kappa is kept, and the rung is significant itself.
    """
    clear = [rung for rung in rungs if rung.p is not None and rung.p < alpha]
    best = max(clear or rungs, key=lambda rung: -1.0 if rung.kappa is None else rung.kappa)
    if not clear or best.kappa is None:
        return best.name, None
    for rung in clear:
        if rung.name == best.name:
            break
        half = half_width(best.name, rung.name)
        near = half is not None and rung.kappa is not None and best.kappa - rung.kappa <= max(half, NEGLIGIBLE)
        if near and (rung.kappa or 0.0) >= KEEPS * best.kappa:
            return best.name, rung.name
    return best.name, best.name
