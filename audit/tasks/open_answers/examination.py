"""The audit of open answers, from reading to deciding, its result and the advice for its author."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import msgspec
import numpy as np

from hansproof.audit.benchmark import FIRST_USED, Benchmark
from hansproof.audit.notation import per_cent
from hansproof.audit.probes.kappas import number
from hansproof.audit.result.advice import MORE_ITEMS, advise_on_duplicates
from hansproof.audit.result.audit_result import AuditResult, Settings, Verdict
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.tasks import (
    AnswerPlace,
    ClusterShare,
    LearntCue,
    OpenEnded,
    PartAudit,
    Solved,
    StrategyResult,
)
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.assembly import Found, result_of
from hansproof.audit.tasks.group_layout import find_duplicates, groups_of, refuse_one_group, summarise
from hansproof.audit.tasks.open_answers.advantages import Advantages, advantages, refitted
from hansproof.audit.tasks.open_answers.answer_templates import check_clusters_of, measure_templates, partitions_of
from hansproof.audit.tasks.open_answers.attempts import Attempt, Attempts, attempt
from hansproof.audit.tasks.open_answers.decision import Decision, Evidence, decide_open, suspected
from hansproof.audit.tasks.open_answers.golds import NOTHING, Golds, Ints, final_answer, key_of
from hansproof.audit.tasks.open_answers.part_audits import audit_parts
from hansproof.audit.tasks.open_answers.prompt_words import CUT, Reading, read
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC, Language, language_of
from hansproof.audit.texts.grouping import Groups
from hansproof.generators.errors import NotAssessedError, Progress

__all__ = ["OpenAudit", "assemble_open", "examine_open"]

MOST = 20_000
"""Items on which strategies are tried: more would only narrow intervals that are narrow already."""
_LONG = 10
"""Words of an answer that is not judged by equality."""
_UNDIVIDED = re.compile(r"[\u0e00-\u0eff\u3040-\u9fff]")
_EXAMPLES = 10
_SUSPECTS = 3
"""Strategies that leak whose advantage is checked against clusters of similar texts, until one holds."""
_CUES, _LONGEST_CUE = 5, 200
_BY_DESIGN = 0.5
"""Share of the items that have their answer in the prompt, above which it stands there by design."""


class OpenAudit(msgspec.Struct, frozen=True):
    """What came of open-ended answers."""

    decision: Decision
    record: OpenEnded
    groups: Groups
    ids: list[str]
    """(n,) the ids of the items in the order of the groups."""
    notes: list[str]
    scores: list[ItemScore]
    """Of each item that was tried, in source order: what the strategy of the verdict, or the best one, guesses."""

    def item_scores(self) -> list[ItemScore]:
        """The scores; no more was measured."""
        return self.scores


def examine_open(benchmark: Benchmark, settings: Settings, *, workers: int = 0, progress: Progress) -> OpenAudit:
    """Audit a benchmark whose answers are open. Raises NotAssessedError if all items belong to one group."""
    ordered, order = benchmark.in_text_order()
    progress("finding groups", 0, 1)
    groups = groups_of(ordered, settings.groups)
    ids = ordered.ids
    refuse_one_group(groups)
    ordered, index, order = _sampled(ordered, groups.index, order)
    golds = Golds.of(ordered)
    readings = read(ordered.prompts)
    language = language_of(readings)
    progress("trying strategies", 0, 1)
    attempts = attempt(readings, golds, index, settings)
    strategies = _measured(attempts, index, settings)
    progress("comparing texts", 0, 1)
    partitions = partitions_of(ordered.prompts, index, settings)
    templates = measure_templates(ordered.prompts, readings, index, attempts, partitions, settings)
    clusters: list[ClusterShare] = []
    for suspect in suspected(strategies, settings)[:_SUSPECTS]:
        checks = check_clusters_of(suspect, index, attempts, partitions, settings)
        clusters += checks
        if all(check.held for check in checks):
            break
    sure = (way for way in strategies if way.p_corrected < settings.alpha and (way.advantage or 0.0) > 0)
    learner = next((way.name for way in sure if way.kind == "learnt"), None)
    cues = [] if learner is None else attempts.learners[learner].evidence(attempts.wordings.texts)
    record = OpenEnded(
        answers=_answers(golds),
        distinct=len(golds.keys),
        several=int(((golds.accepted >= 0).sum(axis=1) > 1).sum()),
        mark=final_answer(ordered.answers)[1],
        constant=golds.texts[golds.common],
        constant_exact=float(attempts.constant.right.mean()),
        constant_f1=attempts.constant.f1,
        chance=float(attempts.chance.right.mean()),
        chance_f1=attempts.chance.f1,
        offered=attempts.offered,
        strategies=strategies,
        strategy=None,
        place=_answer_place(readings, golds),
        parts=audit_parts(ordered, golds, settings, workers=workers, progress=progress),
        learnt_by=learner,
        learnt=[LearntCue(cue=cue.cue[:_LONGEST_CUE], right=cue.right, items=cue.items) for cue in cues[:_CUES]],
        solved=[],
        templates=templates,
        clusters=clusters,
    )
    many, effective = int(index.max()) + 1, effective_groups(index)
    decision = decide_open(Evidence(record, many, effective, language, groups.source != "column"), settings)
    _refuse_long(golds, decision, record.parts)
    scores = _scores(ordered, attempts, index, order, decision.strategy or strategies[0].name)
    solved = [] if decision.strategy is None else _solved(ordered, golds, attempts, decision.strategy)
    record = msgspec.structs.replace(record, strategy=decision.strategy, solved=solved)
    return OpenAudit(decision, record, groups, ids, _notes(ordered, readings, record, len(ids), language), scores)


def _sampled(benchmark: Benchmark, groups: Ints, order: list[int]) -> tuple[Benchmark, Ints, list[int]]:
    """Whole groups of at most `MOST` items: the first in the order of the texts, which is that of a hash."""
    if len(groups) <= MOST:
        return benchmark, groups, order
    size = np.cumsum(np.bincount(groups))
    last = max(1, int(np.searchsorted(size, MOST, side="right")) - 1)
    kept = np.flatnonzero(groups <= last).tolist()
    return benchmark.taken(kept), groups[kept], [order[place] for place in kept]


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


def _scores(benchmark: Benchmark, attempts: Attempts, groups: Ints, order: list[int], name: str) -> list[ItemScore]:
    way = next(way for way in attempts.strategies if way.name == name)
    right = attempts.wordings.right(way.texts).tolist()
    texts = [*attempts.wordings.texts, ""]  # the last is that of no guess
    return [
        ItemScore(
            id=benchmark.ids[at], answer=benchmark.answers[at], predicted=texts[int(way.texts[at])], correct=right[at],
            probability=None, probabilities={}, group=int(groups[at]), vector=name, scheme="grouped",
        )
        for at in sorted(range(len(order)), key=order.__getitem__)
    ]  # fmt: skip


def _answer_place(readings: Sequence[Reading], golds: Golds) -> AnswerPlace:
    """Whether and where an accepted answer stands in each prompt, as whole words or as a number."""
    thirds, with_gold, first_sentence = [0, 0, 0], 0, 0
    for reading, accepted in zip(readings, golds.accepted.tolist(), strict=True):
        keys = [number for number in accepted if number >= 0]
        text = reading.text.casefold()
        at = max(_place(text, golds.texts[number].casefold()) for number in keys)
        if at < 0:
            at = _numeric_place(reading, {golds.keys[number] for number in keys})
        if at >= 0:
            with_gold += 1
            thirds[min(2, 3 * at // max(len(text), 1))] += 1
            first_sentence += bool(reading.sentences) and at < text.find(reading.sentences[0].casefold()) + len(
                reading.sentences[0]
            )
    share = with_gold / len(readings)
    return AnswerPlace(
        items=with_gold, share=share, by_design=share > _BY_DESIGN, thirds=thirds, first_sentence=first_sentence
    )


def _place(text: str, answer: str) -> int:
    """Where the last occurrence of an answer as whole words begins; -1 without one."""
    if not answer or len(answer) > len(text) or answer not in text:
        return -1
    pattern = rf"(?<!\w){re.escape(answer)}(?!\w)"
    places = [match.start() for match in re.finditer(pattern, text)]
    return places[-1] if places else -1


def _numeric_place(reading: Reading, keys: set[str]) -> int:
    """About where the last number stands that is the answer in another spelling; -1 without one."""
    places = [at for at, quantity in enumerate(reading.numbers) if key_of(quantity.value) in keys]
    return len(reading.text) * places[-1] // len(reading.numbers) if places else -1


def _measured(attempts: Attempts, groups: Ints, settings: Settings) -> list[StrategyResult]:
    """The strategies with their numbers, largest advantage first."""
    tried = attempts.strategies
    beyond = advantages(
        np.stack([way.right for way in tried]),
        attempts.chance.right,
        groups,
        np.array([1.0 if way.kind == "fixed" else refitted(settings.folds) for way in tried]),
        leak_alpha=settings.leak_alpha,
        random=seeded(settings.seed, "open-ended", "bounds"),
    )
    results = [_result(way, beyond, at) for at, way in enumerate(tried)]
    return sorted(results, key=lambda way: -2.0 if way.advantage is None else -way.advantage)


def _result(way: Attempt, beyond: Advantages, at: int) -> StrategyResult:
    return StrategyResult(
        name=way.name,
        description=way.description,
        kind=way.kind,
        answered=float((way.texts != NOTHING).mean()),
        exact=float(way.right.mean()),
        f1=way.f1,
        advantage=number(beyond.value[at]),
        low=number(beyond.low[at]),
        high=number(beyond.high[at]),
        bound=number(beyond.bound[at]),
        p_corrected=float(beyond.p[at]),
    )


def _answers(golds: Golds) -> Literal["numbers", "texts", "numbers and texts"]:
    share = float(golds.number.mean())
    return "numbers" if share >= 0.8 else "texts" if share <= 0.2 else "numbers and texts"


def _solved(benchmark: Benchmark, golds: Golds, attempts: Attempts, name: str) -> list[Solved]:
    """The first items, in the order of the texts, that the strategy gets right; of different answers if possible."""
    way = next(way for way in attempts.strategies if way.name == name)
    items = np.flatnonzero(attempts.wordings.right(way.texts)).tolist()
    first_with: dict[int, int] = {}
    for item in items:
        first_with.setdefault(int(golds.accepted[item, 0]), item)
    shown = sorted([*first_with.values()][:_EXAMPLES]) if len(first_with) >= _EXAMPLES else items[:_EXAMPLES]
    return [
        Solved(
            id=benchmark.ids[item],
            prompt=benchmark.prompts[item],
            answer=golds.texts[int(golds.accepted[item, 0])],
            guess=attempts.wordings.texts[int(way.texts[item])],
            place=None if benchmark.places is None else benchmark.places[item],
        )
        for item in shown
    ]


def _notes(
    benchmark: Benchmark, readings: Sequence[Reading], record: OpenEnded, items: int, language: Language
) -> list[str]:
    notes = []
    tried = len(readings)
    if tried < items:
        notes.append(f"strategies were tried on {tried:,} of {items:,} items, in whole groups, drawn by their texts")
    if record.mark:
        notes.append(f"the answers are worked solutions; what follows {record.mark!r} is audited")
    if record.several:
        notes.append(f"{record.several:,} items accept several answers, and any of them is right")
    long = sum(len(prompt) > CUT for prompt in benchmark.prompts)
    if long:
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


_NUMBERS = "let each operation be right as often as the others, and add numbers that are not needed"
_HOW = {
    "alternative": "Let the right alternative stand first and last equally often, and let each word be right as often "
    "as the one beside it.",
    "arithmetic": f"Calculating with the numbers at face value is enough: {_NUMBERS}.",
    "count": "The size of the prompt gives the answer away: make prompts of about the same length for every answer.",
    "copy": "Move the answer to other places of the prompt, and mention other candidates as often as the right one.",
    "learnt": "Vary what goes with the cue: the same question word, place or key word should go with many answers.",
}


def advise_open(verdict: Verdict, record: OpenEnded) -> list[str]:
    """Advice for the verdict and for the parts of the answers; empty if there is nothing to repair."""
    advice = []
    way = next((way for way in record.strategies if way.name == record.strategy), None)
    if verdict in ("LEAKS", "TRACES", "INCONCLUSIVE") and way is not None:
        advice.append(_HOW[_family(way)])
        advice.append(
            f"Report the accuracy of “{way.name}” ({per_cent(way.exact)}) beside every model's: only what lies above "
            f"it shows the ability."
        )
    if verdict == "TEMPLATE-BOUND":
        advice += [
            "Let a template have many answers, and ask for more than one calculation or place in it, so that an item "
            "says nothing about the others of its template.",
            "Publish the group of every item, never divide a group between splits or between few-shot examples and "
            "test items, and compute standard errors over groups.",
        ]
    if verdict == "IMBALANCED":
        advice.append(
            f"“{record.constant}” is the most common answer ({per_cent(record.constant_exact)}): vary the answers, or "
            f"report accuracy beyond it."
        )
    bad = ("LEAKS", "TEMPLATE-BOUND")  # more items would not settle what a part of the answers shows
    if verdict == "INCONCLUSIVE" and not any(part.verdict in bad for part in record.parts):
        advice.append(MORE_ITEMS)
    open_parts = [part for part in record.parts if part.verdict in (None, *bad) and part.option]
    if open_parts:
        names = ", ".join(part.part for part in open_parts[:3]) + (" ..." if len(open_parts) > 3 else "")
        advice.append(
            f"Parts of the answers are labels ({names}): audit each with --answer-part, such as "
            f"--answer-part {shlex.quote(open_parts[0].option)}."
        )
    return advice


def _family(way: StrategyResult) -> str:
    if "alternative" in way.name:
        return "alternative"
    if way.kind != "fixed":
        return "learnt"
    if way.name.startswith("count"):
        return "count"
    return "arithmetic" if way.name in ARITHMETIC and not way.name.endswith("number") else "copy"


def assemble_open(benchmark: Benchmark, examined: OpenAudit, settings: Settings) -> AuditResult:
    """The result of a benchmark with open-ended answers."""
    # All accepted answers count here, whatever reading them has said.
    read = replace(benchmark, notes=tuple(note for note in benchmark.notes if not note.endswith(FIRST_USED)))
    duplicates = find_duplicates(benchmark.prompts, benchmark.answers, benchmark.ids, benchmark.splits)
    return result_of(
        read,
        settings,
        examined.decision.verdict,
        examined.decision.reason,
        Found(
            duplicates=duplicates,
            groups=summarise(examined.groups, examined.ids),
            advice=[*advise_open(examined.decision.verdict, examined.record), *advise_on_duplicates(duplicates)],
            notes=examined.notes,
            open_ended=examined.record,
        ),
    )
