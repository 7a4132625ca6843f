"""The result of an audit option by option, with the advice for its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from hansproof.audit.notation import drawn, kappa, per_cent, things
from hansproof.audit.probes.kappas import MeasuredScheme
from hansproof.audit.result.advice import advice, advise_on_duplicates, clear_cues, rules_advised
from hansproof.audit.result.audit_result import AuditResult, Duplicates, LabelCount, SchemeResult, Settings
from hansproof.audit.result.explanation import Cue
from hansproof.audit.result.record import or_least
from hansproof.audit.result.tasks import OptionRule, OptionsSummary
from hansproof.audit.tasks.assembly import Found, result_of
from hansproof.audit.tasks.group_layout import find_duplicates, summarise
from hansproof.audit.tasks.options.option_assessment import OptionsAssessment
from hansproof.audit.tasks.options.option_crossfit import RIGHT, OptionEvidence, best_ngram_view, chance_of, letter
from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.simple_rules import COMMON_POSITION
from hansproof.audit.tasks.options.views import ASKING
from hansproof.audit.verdict.reasons import saved_effort, scheme_notes
from hansproof.audit.verdict.rule import Judgement

__all__ = ["assemble_options", "is_clear"]

_CLEAR = 0.05
"""Kappa of a rule from which advice is given."""

_LENGTH = ("the longest (characters)", "the longest (words)", "the shortest (characters)", "the shortest (words)")


def advise(
    judgement: Judgement, scheme: SchemeResult, summary: OptionsSummary, cues: Sequence[Cue], duplicates: Duplicates
) -> list[str]:
    """Advice on position, on the rules that go too far, on n-grams, on duplicates; empty if nothing needs repair.

    Where no rule reaches half of the kappa that the verdict is about, n-grams come first.
    """
    rules = {rule.rule: rule for rule in summary.rules}
    advised = _on_position(rules)
    if judgement.cued or judgement.verdict == "IMBALANCED":
        about = scheme.find(judgement.vector)
        enough = ((about.matched if about else None) or 0.0) / 2
        far = any(is_clear(rules.get(name)) and rules[name].kappa >= enough for name in (*_LENGTH, *rules_advised()))
        told = [_on_rules(rules), _on_cues(cues, summary.chance)]
        advised += chain.from_iterable(told if far else reversed(told))
    if judgement.verdict == "LEAKS":
        advised.append(advice("LEAK003.question" if judgement.vector.startswith("question") else "LEAK003.options"))
    if judgement.verdict == "TEMPLATE-BOUND":
        advised.append(advice("TMPL001.options"))
    if judgement.verdict == "INCONCLUSIVE":
        advised.append(advice("UNKN001.more"))
    return advised + advise_on_duplicates(duplicates)


def is_clear(rule: OptionRule | None) -> bool:
    """Whether a rule goes far enough to be worth a repair, and not by chance."""
    return rule is not None and rule.kappa >= _CLEAR and (rule.low or 0.0) > 0


def _on_position(rules: dict[str, OptionRule]) -> list[str]:
    learnt = rules.get(f"{COMMON_POSITION} (learnt)")
    if learnt is None or not is_clear(learnt):
        return []
    accuracy = per_cent(learnt.accuracy)
    return [advice("LEAK003.position", position=COMMON_POSITION, accuracy=accuracy, kappa=kappa(learnt.kappa))]


def _on_rules(rules: dict[str, OptionRule]) -> list[str]:
    """The strongest rule of length, then those of likeness and wording that are clear, strongest first."""
    advised = []
    lengths = [rules[name] for name in _LENGTH if is_clear(rules.get(name))]
    if lengths:
        best = max(lengths, key=lambda rule: rule.kappa)
        extreme, _, unit = best.rule.rstrip(")").partition(" (")
        size = {"accuracy": per_cent(best.accuracy), "kappa": kappa(best.kappa)}
        advised.append(advice("LEAK003.length", extreme=extreme, unit=unit, **size))
    texts = rules_advised()
    clear = sorted((rules[name] for name in texts if is_clear(rules.get(name))), key=lambda rule: -rule.kappa)
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


def assemble_options(assessment: OptionsAssessment, settings: Settings) -> AuditResult:
    """The result of a benchmark whose items have options of their own."""
    done, pool, shown = assessment.assessed, assessment.pool, assessment.benchmark
    judgement = done.judgement
    scores = best_ngram_view(done.deciding, judgement.vector)
    evidence = OptionEvidence(assessment.task, scores, assessment.fitting)
    cues = evidence.cues()
    duplicates = find_duplicates(shown.prompts, shown.answers, shown.ids, shown.splits)
    summary = _summary(assessment)
    results = [scheme.result for scheme in done.schemes]
    outcome = Found(
        duplicates=duplicates,
        groups=summarise(assessment.groups, shown.ids),
        effort=assessment.effort,
        evidence_vector=scores.vector.name,
        cues=cues,
        giveaways=evidence.giveaways(shown.ids),
        advice=advise(judgement, results[0], summary, cues, duplicates),
        notes=scheme_notes(results, done.one_run, ungrouped=settings.groups == "none")
        + saved_effort(assessment.effort, pool.n, "refitting and injected cues"),
        labels=[LabelCount(label=letter(place), count=count) for place, count in sorted(_places(pool).items())],
        options=summary,
    )
    return result_of(shown, settings, judgement.verdict, judgement.reason, outcome, done, assessment.explanation)


def _places(pool: OptionPool) -> Counter[int]:
    """How many golds stand in each place."""
    return Counter(pool.position[pool.gold].tolist())


def _summary(assessment: OptionsAssessment) -> OptionsSummary:
    pool, options = assessment.pool, assessment.options
    sizes = sorted(Counter(pool.size.tolist()).items())
    places = _places(pool)
    times = Counter(pool.folded)
    return OptionsSummary(
        task=_task(pool),
        how=options.how,
        sizes=[[size, count] for size, count in sizes],
        chance=chance_of(pool.size),
        positions=[places[place] for place in range(int(pool.size.max()))] if options.ordered else [],
        repeated=sum(count for count in times.values() if count > 1),
        only=_strongest(assessment.assessed.deciding, with_question=False),
        asked=_strongest(assessment.assessed.deciding, with_question=True),
        rules=assessment.rules,
    )


def _task(pool: OptionPool) -> str:
    low, high = int(pool.size.min()), int(pool.size.max())
    of = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"Each of {things(pool.n, 'item')} has {of} options of its own. A probe sees one option at a time and says how "
        f"likely it is to be the right one; the most likely option of an item is its choice."
    )


def _strongest(scheme: MeasuredScheme, *, with_question: bool) -> str:
    names = {of.vector.name for of in scheme.scores if (of.vector.table == ASKING) == with_question}
    counted = [entry for entry in scheme.result.counted if entry.vector in names]
    return max(counted, key=lambda entry: or_least(entry.matched)).vector
