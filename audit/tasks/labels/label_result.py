"""The result of a benchmark of labels, with its notes and the advice for its author."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import drawn, interval, kappa
from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.probes.evidence import Evidence, best_ngrams
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.result.advice import advice, advise_on_duplicates, clear_cues
from hansproof.audit.result.audit_result import AuditResult, Duplicates, GroupSummary, LabelCount, Settings
from hansproof.audit.result.explanation import STAYS, Cue, FormatShare, Mentions
from hansproof.audit.result.shortcuts import PartialInputs
from hansproof.audit.shortcuts.single_ngrams import survey_ngrams
from hansproof.audit.statistics.kappa import STRAY
from hansproof.audit.tasks.assembly import Found, counted_labels, result_of
from hansproof.audit.tasks.group_layout import find_duplicates, summarise
from hansproof.audit.tasks.labels.label_assessment import Assessment
from hansproof.audit.tasks.labels.spellings import spellings_of
from hansproof.audit.tasks.published.split_verdict import advise_on_split
from hansproof.audit.verdict.reasons import saved_effort, scheme_notes
from hansproof.audit.verdict.rule import Judgement

__all__ = ["assemble"]

_MOST = 2


def advise_on_parts(partial: PartialInputs | None, settings: Settings) -> list[str]:
    """Advice on parts with a name that predict the answers significantly, with kappa of at least half the threshold.

    Mere sentences give none: the first sentence of a story may well be all that a question is about.
    """
    if partial is None:
        return []
    strong = [
        entry
        for entry in partial.inputs
        if entry.named and (entry.kappa or 0.0) >= settings.margin and entry.p is not None and entry.p < settings.alpha
    ]
    strong.sort(key=lambda entry: -(entry.kappa or 0.0))
    return [
        advice(
            "LEAK001.part", part=f"{entry.sees[:1].upper()}{entry.sees[1:]}", kappa=kappa(entry.kappa),
            interval=interval(entry.low, entry.high),
        )
        for entry in strong[:_MOST]
    ]  # fmt: skip


def advise(
    judgement: Judgement,
    cues: Sequence[Cue],
    labels: Sequence[LabelCount],
    duplicates: Duplicates,
    share: FormatShare | None = None,
    mentions: Mentions | None = None,
    *,
    length: str | None = None,
    alone: bool = True,
) -> list[str]:
    """Advice for the verdict, for the format of the texts and for duplicates; empty if there is nothing to repair.

    `labels` come in descending order of their counts. `share` says how much of kappa is format, and `mentions` that
    the answers stand in their prompts by design, where that is known: an answer is then no cue that could be taken out.
    `length` says which way the length of the texts points, if that is enough, and `alone` whether any n-gram goes with
    an answer significantly by itself: the others are not what to repair.
    """
    cues = cues if alone else ()
    if mentions is not None:
        cues = [cue for cue in cues if cue.label.casefold() not in cue.ngram.casefold()]
    # Answers that look like spellings of others come first: merging them changes every number.
    spellings = spellings_of({entry.label: entry.count for entry in labels})
    return (
        ([] if spellings is None else [spellings.sentence])
        + (
            [advice("LEAK001.lengths", direction=f"{length[:1].upper()}{length[1:]}")]
            if length is not None and judgement.cued
            else []
        )
        + _on_format(judgement, share)
        + _on_mentions(judgement, mentions)
        + _on_verdict(judgement, cues, labels, told=length is not None)
        + advise_on_duplicates(duplicates)
    )


def _on_verdict(
    judgement: Judgement, cues: Sequence[Cue], labels: Sequence[LabelCount], *, told: bool = False
) -> list[str]:
    """Advice for the verdict; `told` says that the length of the texts has been spoken of."""
    if judgement.verdict == "LEAKS":
        level = judgement.vector in ("readability", "length") and not told
        return [*_balance(cues, labels), *([advice("LEAK001.level")] if level else ()), advice("LEAK001.pairs")]
    if judgement.verdict == "TEMPLATE-BOUND":
        return [advice("TMPL001.balance"), advice("TMPL001.publish")]
    if judgement.verdict == "TRACES":
        return _balance(cues, labels)
    if judgement.verdict == "IMBALANCED":
        top, items = labels[0], sum(label.count for label in labels)
        return [advice("IMBA001.balance", answer=drawn(top.label), count=top.count, items=items)]
    if judgement.verdict == "INCONCLUSIVE":
        return [*(_balance(cues, labels) if judgement.cued else ()), advice("UNKN001.more")]
    return []


def _on_format(judgement: Judgement, share: FormatShare | None) -> list[str]:
    """Advice if the format is the cue: it decides the verdict, or kappa falls below half of itself on clean text."""
    kept = share.kept if share is not None else None
    falls, stays = kept is not None and kept < 0.5, kept is not None and kept >= STAYS
    # The probe of format also sees lengths: what stays on clean text is no white space, case or punctuation.
    if not judgement.cued or not (falls or (judgement.vector == "format" and not stays)):
        return []
    return [advice("LEAK001.format")]


def _on_mentions(judgement: Judgement, mentions: Mentions | None) -> list[str]:
    return [] if mentions is None or not judgement.cued else [advice("LEAK001.mentions")]


def _balance(cues: Sequence[Cue], labels: Sequence[LabelCount]) -> list[str]:
    """One sentence per clear cue, with the rate among its items and the base rate."""
    counts = {entry.label: entry.count for entry in labels}
    items = sum(counts.values())
    return [
        advice(
            "LEAK001.cue",
            ngram=f"“{drawn(cue.ngram)}”{f' {cue.times} times or more' if cue.times > 1 else ''}",
            hits=cue.count_label,
            count=cue.count,
            answer=drawn(cue.label),
            share=100 * counts[cue.label] / items,
            otherwise=", or vary the wording" if cue.ngram.strip() else "",
        )
        for cue in clear_cues(cues)
    ]


def notes_on(assessment: Assessment, scores: Scores, shown: Regularisation, *, ungrouped: bool = False) -> list[str]:
    """Notes on what was measured; `scores` are those of the evidence, `shown` the model behind its n-gram weights.

    `ungrouped` says that the user switched groups off.
    """
    done = assessment.assessed
    notes = scheme_notes([scheme.result for scheme in done.schemes], done.one_run, ungrouped=ungrouped)
    saved = saved_effort(
        assessment.effort, len(assessment.y), "refitting, injected cues and clean texts", labels=len(assessment.labels)
    )
    return notes + saved + _trees(scores, shown) + _stray(assessment)


def _trees(scores: Scores, shown: Regularisation) -> list[str]:
    """Trees have no weight per n-gram and answer, so their evidence comes from a regression."""
    trees = scores.regularisation.count("trees")
    if not trees:
        return []
    times = len(scores.regularisation)
    folds = "the single split" if times == 1 else f"{trees} of {times} folds"
    return [
        f"gradient-boosted trees scored {scores.vector.label} on {folds}. Trees have no weight per n-gram, so the "
        f"n-grams shown are those of the linear probe {shown.name} on the same feature vector; the probabilities of "
        f"the items are those of the models that scored them"
    ]


def _stray(assessment: Assessment) -> list[str]:
    counts = np.bincount(assessment.y)
    stray = [assessment.labels[c] for c in np.flatnonzero(counts < STRAY * len(assessment.y)).tolist()]
    if not stray:
        return []
    return [
        f"fewer than {100 * STRAY:.0f} % of the items have the answer {' or '.join(map(repr, stray[:5]))}; the "
        f"uniform-chance kappa of the most common answer does not count such rare answers"
    ]


def _groups(assessment: Assessment, settings: Settings) -> GroupSummary | None:
    """The groups of the items that were judged; None under the paper's protocol, which has none."""
    if settings.protocol == "paper":
        return None
    split = assessment.published
    return split.groups if split else summarise(assessment.groups, assessment.benchmark.ids)


def assemble(benchmark: Benchmark, assessment: Assessment, settings: Settings) -> AuditResult:
    """The result of a benchmark that was assessed."""
    done, fitting, ordered = assessment.assessed, assessment.fitting, assessment.benchmark
    judgement, more = done.judgement, assessment.explanation
    scores = best_ngrams(done.deciding, judgement.vector)
    evidence = Evidence.of(assessment.table, assessment.y, assessment.labels, scores, fitting)
    cues = evidence.cues()
    counts = counted_labels(benchmark.answers)
    split = assessment.published.record if assessment.published else None
    units = np.arange(len(assessment.y)) if settings.protocol == "paper" else assessment.groups.index
    duplicates = find_duplicates(benchmark.prompts, benchmark.answers, benchmark.ids, benchmark.splits)
    singles = survey_ngrams(
        assessment.table,
        assessment.y,
        assessment.labels,
        units,
        alpha=settings.alpha,
        order=[entry.label for entry in counts],
    )
    outcome = Found(
        duplicates=duplicates,
        groups=_groups(assessment, settings),
        effort=assessment.effort,
        evidence_vector=scores.vector.name,
        cues=cues,
        giveaways=evidence.giveaways(scores, ordered.prompts, ordered.ids, ordered.places),
        advice=(advise_on_split(split, settings.alpha) if split else [])
        + advise(
            judgement,
            cues,
            counts,
            duplicates if split is None else msgspec.structs.replace(duplicates, across_splits=None),
            more.format_share,
            more.mentions,
            length=more.length,
            alone=singles is None or singles.significant > 0,
        )
        + advise_on_parts(more.partial, settings),
        published=split,
        notes=notes_on(assessment, scores, evidence.how, ungrouped=settings.groups == "none"),
    )
    more = replace(more, single_ngrams=singles)
    return result_of(benchmark, settings, judgement.verdict, judgement.reason, outcome, done, more)
