"""The ladder of shortcuts: its rungs, the kappa of each, the simplest that is enough, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hansproof.audit.notation import drawn, kappa, per_cent, things
from hansproof.audit.probes.crossfit import Fitting, Ints, Scores, crossfit, draw_folds
from hansproof.audit.probes.kappas import MeasuredScheme, RefitWidening, measure, number
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.result.shortcuts import Ladder, Rung, SingleNgram
from hansproof.audit.shortcuts.partial_probes import Probed, chosen_in_training
from hansproof.audit.shortcuts.short_rules import single_ngram
from hansproof.audit.statistics.intervals import paired_errors
from hansproof.audit.texts.vectors import THIRTEEN, Vector

__all__ = ["ladder_of", "measure_ladder", "rung_of"]

LABELS = {
    "constant": "most common answer",
    "position": "position",
    "length": "length",
    "ngram": "one n-gram",
    "format": "format",
    "partial": "part of the prompt",
    "readability": "readability",
    "unigrams": "unigrams",
    "bigrams": "bigrams",
    "trees": "trees",
}
"""The rungs by stable name, simplest first, with their names in reports. Only options have a position."""

ORDER = tuple(LABELS)

VECTORS: dict[str, tuple[str, ...]] = {
    "length": ("length",),
    "format": ("format",),
    "readability": ("readability",),
    "unigrams": tuple(vector.name for vector in THIRTEEN if vector.n == 1),
    "bigrams": tuple(vector.name for vector in THIRTEEN if vector.n == 2),
}
"""The feature vectors of the rungs that share the fits of the audit; training chooses among several."""


@dataclass(frozen=True)
class FittedRung:
    """One rung with its predictions, before it is measured."""

    name: str
    sees: str
    scores: Scores
    """Its vector has the name of the rung."""


def steps_of(scores: Sequence[Scores], folds: Sequence[Ints]) -> list[FittedRung]:
    """The rungs that the cross-fitted vectors of an audit make, simplest first; those without a vector are left out."""
    known = {entry.vector.name: entry for entry in scores}
    steps = []
    for name, vectors in VECTORS.items():
        having = [known[vector] for vector in vectors if vector in known]
        if having:
            combined, often = chosen_in_training(name, LABELS[name], having, folds)
            steps.append(FittedRung(name, _sees(name, known[often].vector.label), combined))
    return steps


def _sees(name: str, label: str) -> str:
    if name in ("unigrams", "bigrams"):
        return f"{label} most often"
    return {"length": "characters, words, sentences, digits", "format": "case, lines, blanks, punctuation"}.get(
        name, "readability and diversity of the words"
    )


_ALONE = {
    "position": "the position of the option is enough",
    "length": "the length of the text is enough",
    "format": "the format of the text (case, lines, blanks, punctuation) is enough",
    "readability": "the readability and diversity of the words are enough",
    "unigrams": "single words are enough",
    "bigrams": "words and pairs of words are needed",
    "trees": "combinations of words are needed",
}
"""What the name of a rung says if it is the simplest that is enough; n-gram and part are worded by what they are."""

_LONGEST = 60
"""Characters shown of an n-gram or an answer."""


def in_words(
    rungs: Sequence[Rung],
    best: str,
    enough: str | None,
    ngram: SingleNgram | None,
    margin: float,
    *,
    grouped: bool = False,
    said: Mapping[str, str] | None = None,
    unit: str = "item",
) -> str:
    """One sentence on the rungs: which is `enough`, of which `best`, or that none is significant (`enough` is None).

    Below a kappa of `margin` there is little to predict, and the sentence begins with that. `grouped` says that items
    were held out in groups. `said` has what is said of rungs by name, by default of whole prompts; `unit` is what has
    the n-gram.
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
    what = _what(rung, ngram, _ALONE if said is None else said, unit)
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


def _what(rung: Rung, ngram: SingleNgram | None, said: Mapping[str, str], unit: str) -> str:
    if rung.name == "partial":
        return f"{rung.sees} is enough"
    if rung.name == "length" and rung.sees.startswith(("the longest", "the shortest")):
        return f"{said[rung.name]} ({rung.sees})"  # of options: which rule it is
    if rung.name != "ngram":
        return said[rung.name]
    if ngram is None:
        return "one n-gram is enough"
    kinds = {("word", 1): "word", ("gpt2", 1): "token", ("word", 2): "pair of words"}
    kind = kinds.get((ngram.level, ngram.words), "pair of tokens")
    often = "" if ngram.chosen > 0.5 else f" (chosen in {per_cent(ngram.chosen, 0)} of the training sets)"
    hits = f"({ngram.count_label:,} of {things(ngram.count, unit)} with it)"
    return f"one {kind} is enough: {_quoted(ngram.ngram)}{often} → {_quoted(ngram.label)} {hits}"


def _simpler(rungs: Sequence[Rung], enough: str) -> Rung | None:
    """The best rung below `enough`, if it reaches anything."""
    names = [rung.name for rung in rungs]
    below = [rung for rung in rungs[: names.index(enough)] if (rung.kappa or 0.0) > 0]
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


@dataclass(frozen=True)
class Climb:
    """What all rungs of one ladder share."""

    task: LabelTask
    groups: Ints
    """(N,) group numbers."""
    settings: Settings
    stretch: RefitWidening
    """Of the scheme whose folds the rungs share."""

    def ladder(self, steps: Sequence[FittedRung], *, uniform: float | None, ngram: SingleNgram | None = None) -> Ladder:
        """The rungs of `steps` (one or more, for all N items each) above that of the most common answer.

        `uniform` is the uniform-chance kappa of that answer. Steps with different numbers of splits are tested apart
        and their p corrected for that (Bonferroni); differences are paired over the splits that both have.
        """
        ordered = sorted(steps, key=lambda step: ORDER.index(step.name))
        measured = self._measured(ordered)
        constant = FittedRung("constant", "nothing", self._constant(max(len(step.scores.matched) for step in ordered)))
        known = {step.name: step for step in (constant, *ordered)}
        rungs = [
            rung_of("constant", LABELS["constant"], constant.sees, None, None, uniform, len(constant.scores.matched))
        ]
        for step in ordered:
            vector, p = measured[step.name]
            rungs.append(
                rung_of(step.name, LABELS[step.name], step.sees, vector, p, vector.uniform, len(step.scores.matched))
            )
        return ladder_of(
            rungs, lambda first, second: self._half_width(known[first], known[second]), self.settings, ngram,
            grouped=int(self.groups.max()) + 1 < len(self.task.y),
        )  # fmt: skip

    def _measured(self, steps: Sequence[FittedRung]) -> dict[str, tuple[VectorResult, float | None]]:
        """Each rung's numbers, and its p corrected for all rungs."""
        numbers = list(dict.fromkeys(len(step.scores.matched) for step in steps))
        results: dict[str, tuple[VectorResult, float | None]] = {}
        for splits in numbers:
            scores = [step.scores for step in steps if len(step.scores.matched) == splits]
            names = {entry.vector.name for entry in scores}
            family = measure(
                "grouped", self.task, self.groups, scores, self.settings, names,
                lambda strongest, null_sd: self.stretch,
            )  # fmt: skip
            for vector in family.result.vectors:
                p = None if vector.p_corrected is None else min(1.0, len(numbers) * vector.p_corrected)
                results[vector.vector] = vector, p
        return results

    def _constant(self, splits: int) -> Scores:
        n, common = len(self.task.y), int(np.bincount(self.task.y).argmax())
        given = np.full((splits, n), common, dtype=np.int16)
        shares = np.zeros((n, self.task.labels))
        shares[:, common] = 1.0
        vector = Vector("constant", LABELS["constant"], "dense", "", 0, "")
        return Scores(vector, np.arange(n), given, given, shares, float("nan"), [], 0)

    def _half_width(self, first: FittedRung, second: FittedRung) -> float | None:
        """Half the width of the 95 % interval of the difference of two kappas; None where it is undefined."""
        splits = min(len(first.scores.matched), len(second.scores.matched))
        spread = paired_errors(
            self.task.y, first.scores.matched[:splits], second.scores.matched[:splits], self.groups, self.task.labels,
            stretch=self.stretch.sampling, stretched_by=self.stretch.degrees,
        )  # fmt: skip
        return number(spread.half_width()[0])


def ladder_of(
    rungs: Sequence[Rung],
    half_width: Callable[[str, str], float | None],
    settings: Settings,
    ngram: SingleNgram | None,
    *,
    grouped: bool,
    said: Mapping[str, str] | None = None,
    unit: str = "item",
) -> Ladder:
    """The ladder of `rungs`, simplest first; `half_width` is that of the 95 % interval of the difference of two.

    `said`, `unit` and `grouped` are those of `in_words`.
    """
    best, enough = _simplest(rungs, half_width, settings.alpha)
    sentence = in_words(rungs, best, enough, ngram, settings.margin, grouped=grouped, said=said, unit=unit)
    return Ladder(sentence=sentence, enough=enough, best=best, rungs=list(rungs), ngram=ngram)


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


def rung_of(
    name: str, label: str, sees: str, vector: VectorResult | None, p: float | None, uniform: float | None, splits: int
) -> Rung:
    """A rung; without a `vector`, that of a constant."""
    return Rung(
        name=name,
        label=label,
        sees=sees,
        kappa=0.0 if vector is None else vector.matched,
        low=None if vector is None else vector.matched_low,
        high=None if vector is None else vector.matched_high,
        uniform=uniform,
        p=p,
        splits=splits,
    )


def measure_ladder(
    task: LabelTask,
    groups: Ints,
    labels: Sequence[str],
    grouped: MeasuredScheme,
    fitting: Fitting,
    settings: Settings,
    parts: Probed | None = None,
) -> Ladder:
    """The ladder under grouped folds, on the splits of the scheme `grouped`; `parts` are its partial inputs.

    Trees are a rung of their own: if they compete in this audit, the rungs below are fitted once more without them.
    """
    folds = draw_folds(task.y, groups, fitting.seed, "grouped", settings.folds, grouped.result.splits)
    quiet = fitting.quiet()
    linear, scores = tuple(how for how in fitting.candidates if how.linear), grouped.scores
    trees: list[FittedRung] = []
    if linear != fitting.candidates:
        ngrams = [entry for entry in scores if entry.vector.kind == "ngram"]
        combined, often = chosen_in_training("trees", LABELS["trees"], ngrams, folds)
        trees = [FittedRung("trees", f"{grouped.of(often).vector.label} most often", combined)]
        vectors = [entry.vector for entry in scores]
        scores = crossfit(
            task, groups, vectors, replace(quiet, candidates=linear),
            scheme="grouped", folds=settings.folds, splits=grouped.result.splits,
        )  # fmt: skip
    best = single_ngram(task.tables["text"], task.y, labels, folds, quiet)
    sees = "a word, a token, or two in a row"
    steps = [*steps_of(scores, folds), FittedRung("ngram", sees, best.scores), *_part(parts, folds), *trees]
    climb = Climb(task, groups, settings, grouped.stretch)
    return climb.ladder(steps, uniform=grouped.result.majority_uniform, ngram=best.named)


def _part(parts: Probed | None, folds: Sequence[Ints]) -> list[FittedRung]:
    """The rung of partial input: in each fold, the part that training chose."""
    if parts is None or not parts.scores:
        return []
    combined, often = chosen_in_training("partial", LABELS["partial"], parts.scores, folds)
    sees = next(entry.sees for entry in parts.result.inputs if entry.name == often)
    return [FittedRung("partial", sees, combined)]
