"""The shape of benchmarks whose items have options of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, pairwise
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import drawn, kappa, per_cent, things
from hansproof.audit.probes.crossfit import Ints
from hansproof.audit.probes.evidence import Evidence, best_ngrams
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.kappas import MeasuredScheme
from hansproof.audit.result.advice import advice, clear_cues, rules_advised
from hansproof.audit.result.audit_result import Findable, LabelCount, SchemeResult, Settings
from hansproof.audit.result.explanation import Cue
from hansproof.audit.result.record import or_least
from hansproof.audit.result.shortcuts import SingleNgrams
from hansproof.audit.result.tasks import OptionRule, OptionsSummary
from hansproof.audit.shortcuts.shared_folds import SharedFolds
from hansproof.audit.shortcuts.single_ngrams import survey_ngrams
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.option_crossfit import (
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
    beside_parts,
    best_position,
    is_clear,
    options_ladder,
    tried_rules,
)
from hansproof.audit.tasks.options.views import ASKING, UNCOUNTED, shown_ngram, tables, views
from hansproof.audit.tasks.shape import Assessed, Explanation, Found, Guess, Running
from hansproof.audit.tasks.split_measurement import SplitShape, advise_on_split
from hansproof.audit.texts.grouping import Groups
from hansproof.audit.texts.vectors import Vector
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.audit.verdict.rule import Judgement

__all__ = ["MultipleChoice"]


class MultipleChoice(SplitShape[OptionTask]):
    """n items with options of their own, of which every option is probed."""

    constant = COMMON_POSITION
    uncounted = frozenset({UNCOUNTED})
    unused = ("grades",)
    why_unused = "items have options of their own"
    partly = "refitting and injected cues"

    def __init__(self, benchmark: Benchmark, settings: Settings, running: Running = Running()) -> None:  # noqa: B008
        """As probed shapes, and with the simple rules."""
        super().__init__(benchmark, settings, running)
        self.rules = self._tried()
        rule = best_position(self.rules, settings.alpha)
        if rule is not None:  # one that may be chance is no imbalance
            value = rule.kappa if (rule.low or 0.0) > 0 else None
            self.task = replace(self.task, position=(rule.accuracy, value))

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
        """Every option as a row."""
        return OptionTask(tables(self.pool, self.layout.groups), self.pool), views(self.pool)

    def _tried(self) -> list[OptionRule]:
        """The simple rules; of a published split on its test part, learnt on what may be learnt from."""
        pool, groups, settings, split = self.pool, self.layout.groups, self.settings, self.split
        if split is None:
            fold = fold_numbers(pool.strata, groups, settings.folds, seeded(settings.seed, "rules", "folds"))
        else:
            fold = np.ones(pool.n, dtype=np.int64)
            fold[split.learnt] = 0
        tested = None if split is None else split.test
        return tried_rules(self.task, groups, fold, self.options.ordered, settings, tested)

    @property
    def right(self) -> Ints:
        """The texts of the right options."""
        return self.pool.same[self.pool.gold]

    @property
    def own(self) -> Ints:
        """As `right`; -1 for options that are wrong in another item: to have seen them gives nothing away."""
        wrong = np.delete(self.pool.same, self.pool.gold)
        return np.where(np.isin(self.right, wrong), -1, self.right)

    @cached_property
    def scored(self) -> OptionPool:
        """The items that are scored: all, or the test part of a published split."""
        return self.pool if self.split is None else self.pool.taken(self.split.test)

    def chances(self, run: Sequence[dict[str, float]]) -> NDArray[np.float64]:
        """As `ProbedShape` says."""
        right = np.array(
            [run[item].get(text, 0.0) for item, text in zip(self.pool.item.tolist(), self.pool.texts, strict=True)]
        )
        return np.stack([1 - right, right], axis=1)

    def measure(self) -> Assessed:
        """As probes are, and with what the probe of the verdict saw."""
        done = super().measure()
        reason = self.pool.worded(self._by_rule(done) + done.judgement.reason + self._seen(done))
        return replace(done, judgement=replace(done.judgement, reason=reason))

    def _by_rule(self, done: Assessed) -> str:
        """A first clause on the simple rule that goes as far as the probe of a leak; empty if none does."""
        about = done.deciding.result.find(done.judgement.vector)
        texts = (*LENGTHS, *rules_advised())  # no probe sees in what order the options stand
        clear = [rule for rule in self.rules if rule.rule in texts and is_clear(rule, self.settings.alpha)]
        best = max(clear, key=lambda rule: rule.kappa, default=None)
        if done.judgement.verdict != "LEAKS" or about is None or best is None:
            return ""
        if best.kappa < _ENOUGH * or_least(about.matched):
            return ""
        what = f"the rule “{best.rule.replace('“', '‘').replace('”', '’')}”"
        if best.rule in LENGTHS:
            what = "choosing {extreme} option (in {unit})".format(**_of_length(best, int(self.scored.size.max())))
        return f"{what} is right for {per_cent(best.accuracy)} of the items (kappa {kappa(best.kappa)}); "

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

    def unpredictable(self, units: Ints) -> str:
        """Why none of these items can give its right option away: no probe sees in what order the options stand."""
        pool = self.pool.taken(units)
        rows = pairwise(pool.start.tolist())
        sets = ((question, *sorted(pool.texts[slice(*of)])) for question, of in zip(pool.questions, rows, strict=True))
        golds: list[Hashable] = [self.items.answers[unit] for unit in units.tolist()]
        chances = dict.fromkeys(golds, chance_of(pool.size))
        return why_unpredictable(zip(sets, golds, strict=True), chances, self.settings.threshold)

    def findable(self, grouped: MeasuredScheme) -> list[Findable]:
        """The smallest cues that would have been found in these options."""
        task, groups, _ = self.part if self.split is None else (self.task, self.layout.groups, 1.0)
        limits, folds = grouped.limits(), self.settings.folds
        return smallest_found(task, groups, self.fitting.quiet(), limits, folds, split=self.split)

    def _explained(self) -> Explanation:
        """Simpler shortcuts, parts of the question, single n-grams."""
        task, groups, settings, ngrams = self.task, self.layout.groups, self.settings, self._single_ngrams()
        if settings.fast or self.split is not None:
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
        task, groups = self.task, self.layout.groups
        if self.learnt is not None:
            task, groups = task.taken(self.learnt), np.unique(groups[self.learnt], return_inverse=True)[1]
        pool = task.pool
        chance = (1 / pool.size)[pool.item]
        survey = survey_ngrams(
            task.tables["option"],
            task.answers(task.gold),
            pool.names,
            groups[pool.item],
            alpha=self.settings.alpha,
            order=pool.names[::-1],
            rates=np.stack([1 - chance, chance], axis=1),
        )
        if survey is None or int(groups.max()) + 1 < pool.n:
            return survey
        return msgspec.structs.replace(survey, unit="item")

    def tell(self) -> Found:
        """The n-grams that point to right and wrong options, and advice on them and on simple rules."""
        done, task, pool, split = self.assessed, self.task, self.scored, self.published
        scores = best_ngrams(done.deciding, done.judgement.vector)
        y, table = task.answers(task.gold), task.tables[scores.vector.table]
        learnt = None if self.learnt is None else task.rows(self.learnt)
        evidence = Evidence(table, y, pool.names, scores, self.fitting, learnt)
        asked = pool.worded("question")
        cues = [msgspec.structs.replace(cue, ngram=shown_ngram(cue.ngram, asked)) for cue in evidence.cues()]
        places = Counter(pool.position[pool.gold].tolist())
        summary = self._summary(places)
        own = advise(done.judgement, done.schemes[0].result, summary, cues, self.settings.alpha)
        shared = [] if split is None else list(map(pool.worded, advise_on_split(split.record, self.settings.alpha)))
        return Found(
            more=self._explained(),
            evidence_vector=scores.vector.name,
            cues=cues,
            giveaways=giveaways(evidence, self.pool, scores, self.items.ids),
            advice=own + shared if done.judgement.verdict == "LEAKS" else shared + own,
            labels=[LabelCount(label=letter(place), count=count) for place, count in sorted(places.items())],
            options=summary,
            published=None if split is None else split.record,
        )

    def _summary(self, places: Counter[int]) -> OptionsSummary:
        """`places` says how many golds stand in each place."""
        size = self.scored.size
        low, high = int(size.min()), int(size.max())
        of = f"{low}" if low == high else f"{low} to {high}"
        return OptionsSummary(
            task=self.pool.worded(
                f"Each of {things(self.scored.n, 'item')} has {of} options of its own. A probe sees one option at a "
                f"time and says how likely it is to be the right one; the most likely option of an item is its choice."
            ),
            pairs=self.pool.pairs,
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
        """The most probable option of every item, or of the test part with what it shares with the training part."""
        pool, scores = self.scored, self.assessed.deciding.of(self.scored_by)
        share, units = shares_of(pool, scores), scores.units.tolist()
        shared = self.shared
        for item, (first, last) in enumerate(pairwise(pool.start.tolist())):
            picked, gold = first + int(share[first:last].argmax()), int(pool.gold[item])
            shares = dict(zip(pool.texts[first:last], map(float, share[first:last]), strict=True))
            others = shared.get(item, (None, None))
            yield units[item], Guess(pool.texts[picked], picked == gold, float(share[gold]), shares, *others)


_ENOUGH = 0.75
"""Share of the kappa of the probe that a rule must reach to be said of the leak first."""


def advise(
    judgement: Judgement, scheme: SchemeResult, summary: OptionsSummary, cues: Sequence[Cue], alpha: float = 0.05
) -> list[str]:
    """Advice on position, on the rules that go too far, and on n-grams; empty if nothing needs repair.

    Where no rule reaches half of the kappa that the verdict is about, n-grams come first.
    """
    rules = {rule.rule: rule for rule in summary.rules if is_clear(rule, alpha)}
    say = partial(advice, pairs=summary.pairs)
    advised, position = [], best_position(list(rules.values()), alpha)
    if position is not None:
        advised.append(say("LEAK003.position", position=COMMON_POSITION, **_reached(position)))
    if judgement.cued or judgement.verdict == "IMBALANCED":
        about = scheme.find(judgement.vector)
        enough = ((about.matched if about else None) or 0.0) / 2
        far = any(name in rules and rules[name].kappa >= enough for name in (*LENGTHS, *rules_advised()))
        told = [_on_rules(rules, summary, say), _on_cues(cues, summary.chance, say)]
        advised += chain.from_iterable(told if far else reversed(told))
    if judgement.verdict == "LEAKS":
        advised.append(say(f"LEAK003.{'question' if judgement.vector.startswith('question') else 'options'}"))
    if judgement.verdict == "TEMPLATE-BOUND":
        advised.append(say("TMPL001.options"))
    if judgement.verdict == "INCONCLUSIVE":
        advised.append(advice("UNKN001.more"))
    return advised


def _reached(rule: OptionRule) -> dict[str, Any]:
    return {"accuracy": per_cent(rule.accuracy), "kappa": kappa(rule.kappa)}


def _of_length(rule: OptionRule, largest: int) -> dict[str, Any]:
    """Words for a rule of length: `the longest` of several options, `the longer` where no item has more than two."""
    extreme, _, unit = rule.rule.rstrip(")").partition(" (")
    if largest == 2:
        return {"extreme": f"{extreme.removesuffix('est')}er", "other": "the other", "unit": unit}
    return {"extreme": extreme, "other": "any other", "unit": unit}


def _on_rules(rules: dict[str, OptionRule], summary: OptionsSummary, say: Callable[..., str]) -> list[str]:
    """The strongest of the clear `rules` of length, then those of likeness and wording, strongest first."""
    advised = []
    lengths = [rules[name] for name in LENGTHS if name in rules]
    if lengths:
        best = max(lengths, key=lambda rule: rule.kappa)
        advised.append(say("LEAK003.length", **_of_length(best, summary.sizes[-1][0]), **_reached(best)))
    texts = rules_advised(pairs=summary.pairs)
    clear = sorted((rules[name] for name in texts if name in rules), key=lambda rule: -rule.kappa)
    return advised + [advice("LEAK003.rule", advice=texts[of.rule], kappa=kappa(of.kappa)) for of in clear[:3]]


def _on_cues(cues: Sequence[Cue], chance: float, say: Callable[..., str]) -> list[str]:
    return [
        say(
            "LEAK003.cue",
            ngram=f"“{drawn(cue.ngram)}”{cue.often}",
            hits=cue.count_label,
            count=cue.count,
            side=cue.label.split()[1],
            share=per_cent(chance if cue.label.startswith("the ") else 1 - chance, 0),
        )
        for cue in clear_cues(cues)
    ]
