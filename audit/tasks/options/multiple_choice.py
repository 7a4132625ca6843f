"""The shape of benchmarks whose items have options of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import drawn, kappa, per_cent, things
from hansproof.audit.probes.evidence import Evidence, best_ngrams
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.kappas import MeasuredScheme
from hansproof.audit.result.advice import advice, clear_cues, rules_advised
from hansproof.audit.result.audit_result import Findable, LabelCount, SchemeResult
from hansproof.audit.result.explanation import Cue
from hansproof.audit.result.record import or_least
from hansproof.audit.result.shortcuts import SingleNgrams
from hansproof.audit.result.tasks import OptionRule, OptionsSummary
from hansproof.audit.shortcuts.shared_folds import SharedFolds
from hansproof.audit.shortcuts.single_ngrams import survey_ngrams
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.option_crossfit import (
    RIGHT,
    WRONG,
    OptionTask,
    chance_of,
    giveaways,
    letter,
    shares_of,
    smallest_found,
)
from hansproof.audit.tasks.options.option_rows import OptionPool, groups_in_pool, shown, usable_options
from hansproof.audit.tasks.options.option_shortcuts import (
    COMMON_POSITION,
    LENGTHS,
    POSITION_RULE,
    beside_parts,
    options_ladder,
    rules_of,
)
from hansproof.audit.tasks.options.views import ASKING, UNCOUNTED, shown_ngram, tables, views
from hansproof.audit.tasks.probed import ProbedShape
from hansproof.audit.tasks.shape import Assessed, Explanation, Found, Guess
from hansproof.audit.texts.grouping import Groups
from hansproof.audit.texts.vectors import Vector
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.audit.verdict.rule import Judgement

__all__ = ["MultipleChoice", "is_clear"]


class MultipleChoice(ProbedShape[OptionTask]):
    """n items with options of their own, of which every option is probed."""

    constant = COMMON_POSITION
    uncounted = frozenset({UNCOUNTED})
    unused = ("grades",)
    why_unused = "items have options of their own"
    partly = "refitting and injected cues"

    def ordered(self, benchmark: Benchmark) -> tuple[Benchmark, list[int]]:
        """The items that can be used, each with its options in its prompt, of which the result is, too.

        Raises NotAssessedError if the options cannot be read, too few items can be used, or the protocol is the
        paper's, which knows fixed labels only.
        """
        self.options = usable_options(benchmark, self.settings)
        self.pool = OptionPool.of(benchmark, self.options)
        self.source = shown(benchmark, self.options, self.pool)
        return self.source, self.pool.source

    def grouped(self) -> Groups:
        """Items that share options belong together, too."""
        return groups_in_pool(self.items, self.pool, self.settings.groups)

    def counted(self) -> tuple[OptionTask, tuple[Vector, ...]]:
        """Every option as a row, and the simple rules."""
        pool, groups, ordered, settings = self.pool, self.layout.groups, self.options.ordered, self.settings
        known = tables(pool, groups)
        fold = fold_numbers(pool.strata, groups, settings.folds, seeded(settings.seed, "rules", "folds"))
        self.rules = rules_of(pool, known["question"].numbers["question-cues"], groups, fold, ordered)
        self.position = next((rule for rule in self.rules if rule.rule == POSITION_RULE), None)
        place = None if self.position is None else (self.position.accuracy, self.position.kappa)
        return OptionTask(known, pool, place), views(pool)

    def chances(self, run: Sequence[dict[str, float]]) -> NDArray[np.float64]:
        """As `ProbedShape` says."""
        right = np.array(
            [run[item].get(text, 0.0) for item, text in zip(self.pool.item.tolist(), self.pool.texts, strict=True)]
        )
        return np.stack([1 - right, right], axis=1)

    def weighed(self, measured: MeasuredScheme) -> SchemeResult:
        """The numbers that the verdict rests on: a most common position that may be chance is none."""
        if self.position is not None and (self.position.low or 0.0) > 0:
            return measured.result
        return msgspec.structs.replace(measured.result, majority_uniform=None)

    def measure(self) -> Assessed:
        """As probes are, and with what the probe of the verdict saw."""
        done = super().measure()
        reason = done.judgement.reason + self._seen(done)
        return replace(done, judgement=replace(done.judgement, reason=reason))

    def _seen(self, done: Assessed) -> str:
        """A further sentence on what the probe of the verdict saw, if the verdict is about one."""
        judgement = done.judgement
        if not judgement.cued and judgement.verdict != "TEMPLATE-BOUND":
            return ""
        if judgement.vector not in {view.name for view in self.vectors}:
            return ""  # made elsewhere
        asked = {view.name for view in self.vectors if view.table == ASKING}
        if judgement.vector in asked:
            alone = [entry for entry in done.deciding.result.vectors if entry.counted and entry.vector not in asked]
            best = max((entry.matched for entry in alone if entry.matched is not None), default=None)
            reached = f"; without the question the best probe has kappa {kappa(best)}" if best is not None else ""
            return f" That probe sees which words of an option the question has{reached}."
        return " That probe sees the options only, never the question."

    def unpredictable(self) -> str:
        """Why no item can give its right option away: no probe sees in what order the options stand."""
        pool, rows = self.pool, pairwise(self.pool.start.tolist())
        sets = ((question, *sorted(pool.texts[slice(*of)])) for question, of in zip(pool.questions, rows, strict=True))
        golds: list[Hashable] = [*self.items.answers]
        chances = dict.fromkeys(golds, chance_of(pool.size))
        return why_unpredictable(zip(sets, golds, strict=True), chances, self.settings.threshold)

    def findable(self, grouped: MeasuredScheme) -> list[Findable]:
        """The smallest cues that would have been found in these options."""
        task, groups, _ = self.part
        return smallest_found(task, groups, self.fitting.quiet(), grouped.limits(), self.settings.folds)

    def _explained(self) -> Explanation:
        """Simpler shortcuts, parts of the question, single n-grams."""
        task, groups, settings, ngrams = self.task, self.layout.groups, self.settings, self._single_ngrams()
        if settings.fast:
            return Explanation(single_ngrams=ngrams)
        self.running.progress("climbing the ladder", 0, 1)
        grouped = self.assessed.schemes[0]
        on = SharedFolds(task, groups, grouped.fitted, grouped.stretch, self.fitting, settings)
        return Explanation(
            ladder=options_ladder(on, task, ordered=self.options.ordered),
            partial=beside_parts(on, task, self.items.parts),
            single_ngrams=ngrams,
        )

    def _single_ngrams(self) -> SingleNgrams | None:
        """Every n-gram of the options against right and wrong, with the chance 1/k of its own items."""
        task, pool, groups = self.task, self.pool, self.layout.groups
        chance = (1 / pool.size)[pool.item]
        survey = survey_ngrams(
            task.tables["option"],
            task.answers(task.gold),
            (WRONG, RIGHT),
            groups[pool.item],
            alpha=self.settings.alpha,
            order=(RIGHT, WRONG),
            rates=np.stack([1 - chance, chance], axis=1),
        )
        if survey is None or int(groups.max()) + 1 < pool.n:
            return survey
        return msgspec.structs.replace(survey, unit="item")

    def tell(self) -> Found:
        """The n-grams that point to right and wrong options, and advice on them and on simple rules."""
        done, task, pool = self.assessed, self.task, self.pool
        scores = best_ngrams(done.deciding, done.judgement.vector)
        y, table = task.answers(task.gold), task.tables[scores.vector.table]
        evidence = Evidence.of(table, y, (WRONG, RIGHT), scores, self.fitting)
        cues = [msgspec.structs.replace(cue, ngram=shown_ngram(cue.ngram)) for cue in evidence.cues()]
        places = Counter(pool.position[pool.gold].tolist())
        summary = self._summary(places)
        return Found(
            more=self._explained(),
            evidence_vector=scores.vector.name,
            cues=cues,
            giveaways=giveaways(evidence, pool, scores, self.items.ids),
            advice=advise(done.judgement, done.schemes[0].result, summary, cues),
            labels=[LabelCount(label=letter(place), count=count) for place, count in sorted(places.items())],
            options=summary,
        )

    def _summary(self, places: Counter[int]) -> OptionsSummary:
        """`places` says how many golds stand in each place."""
        size = self.pool.size
        low, high = int(size.min()), int(size.max())
        of = f"{low}" if low == high else f"{low} to {high}"
        return OptionsSummary(
            task=f"Each of {things(self.pool.n, 'item')} has {of} options of its own. A probe sees one option at a "
            f"time and says how likely it is to be the right one; the most likely option of an item is its choice.",
            how=self.options.how,
            sizes=[[size, count] for size, count in sorted(Counter(size.tolist()).items())],
            chance=chance_of(size),
            positions=[places[place] for place in range(high)] if self.options.ordered else [],
            only=self._strongest(with_question=False),
            asked=self._strongest(with_question=True),
            rules=self.rules,
        )

    def _strongest(self, *, with_question: bool) -> str:
        names = {view.name for view in self.vectors if (view.table == ASKING) == with_question}
        counted = [entry for entry in self.assessed.deciding.result.counted if entry.vector in names]
        return max(counted, key=lambda entry: or_least(entry.matched)).vector

    def guesses(self) -> Iterator[tuple[int, Guess]]:
        """The most probable option of every item."""
        pool = self.pool
        share = shares_of(pool, self.assessed.deciding.of(self.scored_by))
        for item, (first, last) in enumerate(pairwise(pool.start.tolist())):
            picked, gold = first + int(share[first:last].argmax()), int(pool.gold[item])
            shares = dict(zip(pool.texts[first:last], map(float, share[first:last]), strict=True))
            yield item, Guess(pool.texts[picked], picked == gold, float(share[gold]), shares)


_CLEAR = 0.05
"""Kappa of a rule from which advice is given."""


def advise(judgement: Judgement, scheme: SchemeResult, summary: OptionsSummary, cues: Sequence[Cue]) -> list[str]:
    """Advice on position, on the rules that go too far, and on n-grams; empty if nothing needs repair.

    Where no rule reaches half of the kappa that the verdict is about, n-grams come first.
    """
    rules = {rule.rule: rule for rule in summary.rules if is_clear(rule)}
    advised, learnt = [], rules.get(POSITION_RULE)
    if learnt is not None:
        size = {"accuracy": per_cent(learnt.accuracy), "kappa": kappa(learnt.kappa)}
        advised.append(advice("LEAK003.position", position=COMMON_POSITION, **size))
    if judgement.cued or judgement.verdict == "IMBALANCED":
        about = scheme.find(judgement.vector)
        enough = ((about.matched if about else None) or 0.0) / 2
        far = any(name in rules and rules[name].kappa >= enough for name in (*LENGTHS, *rules_advised()))
        told = [_on_rules(rules), _on_cues(cues, summary.chance)]
        advised += chain.from_iterable(told if far else reversed(told))
    if judgement.verdict == "LEAKS":
        advised.append(advice("LEAK003.question" if judgement.vector.startswith("question") else "LEAK003.options"))
    if judgement.verdict == "TEMPLATE-BOUND":
        advised.append(advice("TMPL001.options"))
    if judgement.verdict == "INCONCLUSIVE":
        advised.append(advice("UNKN001.more"))
    return advised


def is_clear(rule: OptionRule | None) -> bool:
    """Whether a rule goes far enough to be worth a repair, and not by chance."""
    return rule is not None and rule.kappa >= _CLEAR and (rule.low or 0.0) > 0


def _on_rules(rules: dict[str, OptionRule]) -> list[str]:
    """The strongest of the clear `rules` of length, then those of likeness and wording, strongest first."""
    advised = []
    lengths = [rules[name] for name in LENGTHS if name in rules]
    if lengths:
        best = max(lengths, key=lambda rule: rule.kappa)
        extreme, _, unit = best.rule.rstrip(")").partition(" (")
        size = {"accuracy": per_cent(best.accuracy), "kappa": kappa(best.kappa)}
        advised.append(advice("LEAK003.length", extreme=extreme, unit=unit, **size))
    texts = rules_advised()
    clear = sorted((rules[name] for name in texts if name in rules), key=lambda rule: -rule.kappa)
    return advised + [advice("LEAK003.rule", advice=texts[of.rule], kappa=kappa(of.kappa)) for of in clear[:3]]


def _on_cues(cues: Sequence[Cue], chance: float) -> list[str]:
    return [
        advice(
            "LEAK003.cue",
            ngram=drawn(cue.ngram),
            hits=cue.count_label,
            count=cue.count,
            side="right" if cue.label == RIGHT else "wrong",
            share=per_cent(chance if cue.label == RIGHT else 1 - chance, 0),
        )
        for cue in clear_cues(cues)
    ]
