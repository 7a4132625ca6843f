"""The result of an audit option by option, put together once from what was measured."""

from __future__ import annotations

from collections import Counter

from audit.assembly import Found, result_of
from audit.groups.duplicates import find_duplicates
from audit.groups.summary import summarise
from audit.notation import things
from audit.options.advice import advise
from audit.options.assessment import OptionsAssessment
from audit.options.choosing import chance_of
from audit.options.crossfit import ViewScores
from audit.options.evidence import OptionEvidence, best_ngram_view, letter
from audit.options.items.pool import Pool
from audit.probes.kappas import MeasuredScheme
from audit.result.audit_result import AuditResult, LabelCount, Settings
from audit.result.record import or_least
from audit.result.tasks import OptionsSummary
from audit.verdict.reasons import saved_effort, scheme_notes

__all__ = ["assemble_options"]


def assemble_options(assessment: OptionsAssessment, settings: Settings) -> AuditResult:
    """The result of a benchmark whose items have options of their own."""
    done, pool, shown = assessment.assessed, assessment.pool, assessment.benchmark
    judgement = done.judgement
    scores = best_ngram_view(done.deciding, judgement.vector)
    evidence = OptionEvidence(assessment.bed, scores)
    cues = evidence.cues()
    duplicates = find_duplicates(shown.prompts, shown.answers, shown.ids, shown.splits)
    summary = _summary(assessment)
    results = [scheme.result for scheme in done.schemes]
    found = Found(
        duplicates=duplicates,
        groups=summarise(assessment.groups, shown.ids),
        effort=assessment.effort,
        evidence_vector=scores.view.name,
        cues=cues,
        giveaways=evidence.giveaways(shown.ids),
        advice=advise(judgement, results[0], summary, cues, duplicates),
        notes=scheme_notes(results, done.one_run, ungrouped=settings.groups == "none")
        + saved_effort(assessment.effort, pool.n, "refitting and injected cues"),
        labels=_positions(pool),
        options=summary,
    )
    return result_of(shown, settings, judgement.verdict, judgement.reason, found, done, assessment.explanation)


def _positions(pool: Pool) -> list[LabelCount]:
    """Where the golds stand, by letter."""
    places = Counter(pool.position[pool.gold].tolist())
    return [LabelCount(label=letter(place), count=count) for place, count in sorted(places.items())]


def _summary(assessment: OptionsAssessment) -> OptionsSummary:
    pool, options = assessment.pool, assessment.options
    sizes = sorted(Counter(pool.size.tolist()).items())
    places = Counter(pool.position[pool.gold].tolist())
    times = Counter(text for texts in _texts_by_item(pool) for text in texts)
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


def _texts_by_item(pool: Pool) -> list[list[str]]:
    return [
        pool.folded[first:last] for first, last in zip(pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True)
    ]


def _task(pool: Pool) -> str:
    low, high = int(pool.size.min()), int(pool.size.max())
    of = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"Each of {things(pool.n, 'item')} has {of} options of its own. A probe sees one option at a time and says how "
        f"likely it is to be the right one; the most likely option of an item is its choice."
    )


def _strongest(scheme: MeasuredScheme[ViewScores], *, with_question: bool) -> str:
    names = {of.view.name for of in scheme.scores if of.view.with_question == with_question}
    counted = [entry for entry in scheme.result.counted if entry.vector in names]
    return max(counted, key=lambda entry: or_least(entry.matched)).vector
