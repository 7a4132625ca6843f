"""The audit of open answers, from prompts and golds to the result, and of their parts that are labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import FIRST_USED, Benchmark
from hansproof.audit.probes.folds import random_groups
from hansproof.audit.reading.answer_parts import LabelPart, label_parts
from hansproof.audit.reading.task_kind import final_answer
from hansproof.audit.result.advice import advise_on_duplicates
from hansproof.audit.result.audit_result import AuditResult, Settings
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.numbers import ClusterCheck
from hansproof.audit.result.tasks import OpenEnded, PartAudit, Solved
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.assembly import Found, result_of
from hansproof.audit.tasks.group_layout import GroupLayout, find_duplicates, groups_of, refuse_one_group, summarise
from hansproof.audit.tasks.labels.label_assessment import assess
from hansproof.audit.tasks.open_answers.attempts import Attempts, attempt, check_similar, measure_templates, measured
from hansproof.audit.tasks.open_answers.decision import Decision, advise_open, decide_open, suspected
from hansproof.audit.tasks.open_answers.golds import NOTHING, Golds, key_of
from hansproof.audit.tasks.open_answers.prompt_words import CUT, Reading, read
from hansproof.audit.tasks.open_answers.strategies import Learner
from hansproof.audit.texts.sentences import UNSPACED, Language, fold_text, language_of
from hansproof.audit.texts.similarity import number_by_first, similarity_partitions
from hansproof.generators.errors import NotAssessedError, Progress

__all__ = ["OpenAudit", "audit_open"]

Ints = NDArray[np.int64]

_SAMPLE = 500
"""Prompts, evenly spaced, from which the language is known."""
MOST = 20_000
"""Items on which strategies are tried: more would only narrow intervals that are narrow already."""
_LONG = 10
"""Words of an answer that is not judged by equality."""
_UNDIVIDED = re.compile(f"[{UNSPACED}]")
_EXAMPLES = 10
_SUSPECTS = 3
"""Strategies that leak whose advantage is checked against clusters of similar texts, until one holds."""
_CUES = 5


class OpenAudit(msgspec.Struct, frozen=True):
    """What came of open-ended answers."""

    result: AuditResult
    scores: list[ItemScore]
    """Of each item that was tried, in source order: what the strategy of the verdict, or the best one, guesses."""

    def item_scores(self) -> list[ItemScore]:
        """The scores; no more was measured."""
        return self.scores


def audit_open(benchmark: Benchmark, settings: Settings, *, workers: int = 0, progress: Progress) -> OpenAudit:
    """Audit a benchmark whose answers are open. Raises NotAssessedError if all items belong to one group."""
    ordered, order = benchmark.in_text_order()
    progress("finding groups", 0, 1)
    groups = groups_of(ordered, settings.groups)
    refuse_one_group(groups)
    summary = summarise(groups, ordered.ids)
    kept = random_groups(groups.index, MOST, seeded(settings.seed, "open-ended", "part")).tolist()
    ordered, order = ordered.taken(kept), [order[place] for place in kept]
    index = np.unique(groups.index[kept], return_inverse=True)[1].astype(np.int64)
    same = number_by_first(map(fold_text, ordered.prompts))
    layout = GroupLayout(index, same, groups.source == "column")
    finals, mark = final_answer(ordered.answers)
    golds = Golds([(final,) for final in finals] if mark or ordered.accepted is None else ordered.accepted)
    readings = read(ordered.prompts)
    language = language_of(ordered.prompts[:: max(1, len(kept) // _SAMPLE)])
    progress("trying strategies", 0, 1)
    attempts = attempt(readings, golds, index, settings)
    strategies = measured(attempts, index, settings)
    progress("comparing texts", 0, 1)
    partitions = [] if settings.groups == "none" else similarity_partitions(ordered.prompts, groups=index)
    templates = measure_templates(readings, layout, attempts, partitions, settings)
    clusters: list[ClusterCheck] = []
    for suspect in suspected(strategies, settings)[:_SUSPECTS]:
        checks = check_similar(suspect, index, attempts, partitions, settings)
        clusters += checks
        if all(check.held for check in checks):
            break
    sure = [way for way in strategies if way.p_corrected < settings.alpha and (way.advantage or 0.0) > 0]
    learner = next((attempts.strategies[attempts.at(way.name)] for way in sure if way.kind == "learnt"), None)
    numeric = float(golds.number.mean())
    record = OpenEnded(
        answers="numbers" if numeric >= 0.8 else "texts" if numeric <= 0.2 else "numbers and texts",
        distinct=len(golds.keys),
        several=int(((golds.accepted != NOTHING).sum(axis=1) > 1).sum()),
        mark=mark,
        constant=golds.texts[golds.common],
        constant_exact=float(attempts.constant.mean()),
        constant_f1=attempts.constant_f1,
        chance=float(attempts.chance.mean()),
        chance_f1=attempts.chance_f1,
        offered=attempts.offered,
        strategies=strategies,
        strategy=None,
        tried=len(readings),
        in_prompt=_in_prompt(readings, golds),
        parts=audit_parts(ordered, settings, workers=workers, progress=progress),
        learnt_by=learner.name if learner else None,
        learnt=learner.evidence()[:_CUES] if isinstance(learner, Learner) else [],
        solved=[],
        templates=templates,
        clusters=clusters,
    )
    decision = decide_open(record, layout.grouping, language, settings)
    _refuse_long(golds, decision, record.parts)
    scores = _scores(ordered, attempts, index, decision.strategy or strategies[0].name)
    solved = _solved(ordered, golds, scores) if decision.strategy else []
    record = msgspec.structs.replace(record, strategy=decision.strategy, solved=solved)
    duplicates = find_duplicates(benchmark.prompts, benchmark.answers, benchmark.ids, benchmark.splits)
    # All accepted answers count here, whatever reading them has said.
    read_notes = tuple(note for note in benchmark.notes if not note.endswith(FIRST_USED))
    result = result_of(
        replace(benchmark, notes=read_notes),
        settings,
        decision.verdict,
        decision.reason,
        Found(
            duplicates=duplicates,
            groups=summary,
            advice=[*advise_open(decision.verdict, record), *advise_on_duplicates(duplicates)],
            notes=_notes(ordered.prompts, record, len(benchmark.prompts), language),
            open_ended=record,
        ),
    )
    return OpenAudit(result, [scores[at] for at in np.argsort(order).tolist()])


def _refuse_long(golds: Golds, decision: Decision, parts: Sequence[PartAudit]) -> None:
    """Raise NotAssessedError where nothing was shown, and answers are so long that it says nothing."""
    texts = [golds.texts[number] for number in golds.accepted[:, 0].tolist()]
    # Words, and one for every two characters of scripts without blanks.
    words = sorted(len(text.split()) + len(_UNDIVIDED.findall(text)) // 2 for text in texts)
    middle = words[len(words) // 2]
    if middle > _LONG and decision.verdict in ("CLEAN", "INCONCLUSIVE") and not parts:
        raise NotAssessedError(
            f"Half of the answers have {middle:,} words or more (code, translations, summaries, explanations), and no "
            f"strategy gives them whole. That says nothing of answers so long, which are not judged by equality. Audit "
            f"a part of each answer with --answer-part, or the labels by which the answers are judged."
        )


def _scores(benchmark: Benchmark, attempts: Attempts, groups: Ints, name: str) -> list[ItemScore]:
    guesses = attempts.guesses[attempts.at(name)]
    right = attempts.golds.right(guesses).tolist()
    texts = [*attempts.golds.texts, ""]  # the last is that of no guess
    return [
        ItemScore(
            id=benchmark.ids[at], answer=benchmark.answers[at], predicted=texts[guess], correct=right[at],
            probability=None, probabilities={}, group=int(groups[at]), vector=name, scheme="grouped",
        )
        for at, guess in enumerate(guesses.tolist())
    ]  # fmt: skip


def _in_prompt(readings: Sequence[Reading], golds: Golds) -> int:
    """Items whose prompt has an accepted answer, as whole words or as a number."""
    having = 0
    for reading, accepted in zip(readings, golds.accepted.tolist(), strict=True):
        text, numbers = reading.text.casefold(), {key_of(value) for value in reading.values}
        having += any(
            golds.keys[gold] in numbers
            or (
                (answer := golds.texts[gold].casefold()) in text
                and re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text)
            )
            for gold in accepted
            if gold != NOTHING and golds.texts[gold]
        )
    return having


def _solved(benchmark: Benchmark, golds: Golds, scores: Sequence[ItemScore]) -> list[Solved]:
    """The first items, in the order of the texts, that the strategy gets right."""
    return [
        Solved(
            id=score.id,
            prompt=benchmark.prompts[at],
            answer=golds.texts[int(golds.accepted[at, 0])],
            guess=score.predicted,
            place=None if benchmark.places is None else benchmark.places[at],
        )
        for at, score in enumerate(scores)
        if score.correct
    ][:_EXAMPLES]


def _notes(prompts: Sequence[str], record: OpenEnded, items: int, language: Language) -> list[str]:
    notes = []
    if record.tried < items:
        notes.append(f"strategies were tried on {record.tried:,} of {items:,} items, in whole groups, drawn at random")
    if record.mark:
        notes.append(f"the answers are worked solutions; what follows {record.mark!r} is audited")
    if record.several:
        notes.append(f"{record.several:,} items accept several answers, and any of them is right")
    if long := sum(len(prompt) > CUT for prompt in prompts):
        notes.append(f"of {long:,} prompts, only the first and the last {CUT // 2:,} characters were searched")
    if language == "other":
        notes.append("question words, key words, number words and articles are known in English only")
    if language == "without blanks":
        notes.append("words are cut at blanks, which these texts lack: copying words could not be tried, numbers could")
    notes.append(
        "numbers are compared as numbers, without currency and unit; formulas sign by sign; other answers without "
        "case, punctuation, articles"
    )
    return notes


CHEAP = 10_000
"""Up to so many items, parts are audited unasked."""
_AUDITED = 3
_LISTED = 20


def audit_parts(benchmark: Benchmark, settings: Settings, *, workers: int, progress: Progress) -> list[PartAudit]:
    """The parts of the answers that are labels; the first three are audited if that is cheap.

    Each is judged at alpha over the number of those that are audited (Bonferroni).
    """
    parts = label_parts(benchmark.answers)
    count = min(len(parts), _AUDITED) if len(benchmark.prompts) <= CHEAP else 0
    stricter = msgspec.structs.replace(settings, alpha=settings.alpha / max(count, 1))
    return [
        _audited(benchmark, part, stricter if at < count else None, workers, progress) for at, part in enumerate(parts)
    ]


def _audited(
    benchmark: Benchmark, part: LabelPart, settings: Settings | None, workers: int, progress: Progress
) -> PartAudit:
    """The part with its own audit; only named without settings for one."""
    kept = [at for at, label in enumerate(part.labels) if label]
    labels = [label for label in part.labels if label]
    verdict, reason, vector = None, "", None
    if settings is not None:
        try:
            assessed = assess(
                replace(benchmark.taken(kept), answers=labels, accepted=None, choices=None, options=None),
                settings,
                workers=workers,
                progress=lambda stage, done, total: progress(f"{part.name}: {stage}", done, total),
            ).assessed
            verdict, reason = assessed.judgement.verdict, assessed.judgement.reason
            vector = assessed.deciding.result.find(assessed.judgement.vector)
        except NotAssessedError as error:
            verdict, reason = "NOT ASSESSED", error.reason
    return PartAudit(
        part=part.name,
        option=part.option,
        items=len(labels),
        labels=[label for label, _ in Counter(sorted(labels)).most_common(_LISTED)],
        verdict=verdict,
        reason=reason,
        vector=vector.vector if vector else None,
        kappa=vector.matched if vector else None,
        low=vector.matched_low if vector else None,
        high=vector.matched_high if vector else None,
    )
