"""The shape of benchmarks with open answers, on which strategies are tried, and of their parts that are labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import FIRST_USED, Benchmark
from hansproof.audit.probes.folds import random_groups
from hansproof.audit.reading.answer_parts import LabelPart, label_parts
from hansproof.audit.reading.task_kind import final_answer, kind
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.tasks import OpenEnded, PartAudit, Solved
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.labels import Labels
from hansproof.audit.tasks.open_answers.attempts import advantage_together, attempt, measure_templates, measured
from hansproof.audit.tasks.open_answers.decision import Strategies, advise_open, suspected, traces_of
from hansproof.audit.tasks.open_answers.golds import NOTHING, Golds, key_of
from hansproof.audit.tasks.open_answers.prompt_words import CUT, Reading, read
from hansproof.audit.tasks.open_answers.strategies import Learner
from hansproof.audit.tasks.shape import Assessed, Found, Guess, Running, Shape, assess
from hansproof.audit.texts.sentences import UNSPACED, Language, language_of
from hansproof.generators.errors import NotAssessedError

__all__ = ["OpenAnswers"]

Ints = NDArray[np.int64]

_SAMPLE = 500
"""Prompts, evenly spaced, from which the language is known."""
MOST = 20_000
"""Items on which strategies are tried: more would only narrow intervals that are narrow already."""
_LONG = 10
"""Words of an answer that is not judged by equality."""
_UNDIVIDED = re.compile(f"[{UNSPACED}]")
_EXAMPLES = 10
_CUES = 5


class OpenAnswers(Shape):
    """n prompts with open answers: blind strategies in the place of vectors, and the best constant as chance."""

    unused = ("trees", "grades", "partial", "solver", "thorough", "fast")
    why_unused = "answers are open-ended, and no probe is fitted"

    def __init__(self, benchmark: Benchmark, settings: Settings, running: Running = Running()) -> None:  # noqa: B008
        """Order and group the items, and take a part of very many, in whole groups."""
        super().__init__(benchmark, settings, running)
        kept = random_groups(self.groups.index, MOST, seeded(settings.seed, "open-ended", "part")).tolist()
        self.items, self.order = self.items.taken(kept), [self.order[place] for place in kept]
        index = np.unique(self.groups.index[kept], return_inverse=True)[1].astype(np.int64)
        self.groups = replace(self.groups, index=index)

    @classmethod
    def noted(cls, benchmark: Benchmark, settings: Settings) -> Benchmark:
        """All accepted answers count here, whatever reading them has said."""
        noted = super().noted(benchmark, settings)
        return replace(noted, notes=tuple(note for note in noted.notes if not note.endswith(FIRST_USED)))

    def ordered(self, benchmark: Benchmark) -> tuple[Benchmark, list[int]]:
        """Raises NotAssessedError under the protocols that know labels only."""
        if self.settings.protocol != "grouped":
            protocol = {"paper": "paper's"}.get(self.settings.protocol, self.settings.protocol)
            raise NotAssessedError(
                f"{kind(benchmark).reason} The {protocol} protocol knows labels only; the grouped protocol assesses "
                f"open answers."
            )
        return benchmark.in_text_order()

    def measure(self) -> Assessed:
        """Try every strategy, check those that leak against similar texts, and audit the parts that are labels."""
        items, settings, groups, progress = self.items, self.settings, self.groups.index, self.running.progress
        finals, mark = final_answer(items.answers)
        self.golds = golds = Golds([(final,) for final in finals] if mark or items.accepted is None else items.accepted)
        readings = read(items.prompts)
        self.language = language_of(items.prompts[:: max(1, len(items.prompts) // _SAMPLE)])
        progress("trying strategies", 0, 1)
        self.attempts = attempts = attempt(readings, golds, groups, settings)
        strategies = measured(attempts, groups, settings)
        templates = measure_templates(readings, self.layout, attempts, self.partitions, settings)
        together = advantage_together(attempts, settings)
        clusters = self.held_apart(suspected(strategies, settings), together)
        learning = [way.name for way in traces_of(strategies, settings) if way.kind == "learnt"]
        learner = attempts.strategies[attempts.at(learning[0])] if learning else None
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
            parts=audit_parts(items, settings, self.running),
            learnt_by=learner.name if learner else None,
            learnt=learner.evidence()[:_CUES] if isinstance(learner, Learner) else [],
            solved=[],
            templates=templates,
            clusters=clusters,
        )
        judgement = Strategies(record, self.layout.grouping, self.language, settings).judged()
        self.record = msgspec.structs.replace(record, strategy=judgement.vector or None)
        if judgement.verdict in ("CLEAN", "INCONCLUSIVE") and not record.parts:
            _refuse_long(golds)
        return Assessed([], judgement)

    def tell(self) -> Found:
        """The record of the strategies, with items that the best of them gets right."""
        record = msgspec.structs.replace(self.record, solved=self._solved() if self.record.strategy else [])
        notes = _notes(self.items.prompts, record, len(self.source.prompts), self.language)
        return Found(advice=advise_open(self.assessed.judgement.verdict, record), notes=notes, open_ended=record)

    def _solved(self) -> list[Solved]:
        """The first items, in the order of the texts, that the strategy gets right."""
        right = [at for at, guess in self.guesses() if guess.correct][:_EXAMPLES]
        golds, items = self.golds, self.items
        return [
            Solved(
                id=items.ids[at],
                prompt=items.prompts[at],
                answer=golds.texts[int(golds.accepted[at, 0])],
                place=None if items.places is None else items.places[at],
            )
            for at in right
        ]

    @property
    def scored_by(self) -> str:
        """The strategy of the verdict, or the best one."""
        return self.assessed.judgement.vector or self.record.strategies[0].name

    def guesses(self) -> Iterator[tuple[int, Guess]]:
        """Of each item that was tried, the first guess of the strategy."""
        given = self.attempts.guesses[self.attempts.at(self.scored_by)]
        texts = [*self.golds.texts, ""]  # the last is that of no guess
        for at, (guess, right) in enumerate(zip(given.tolist(), self.golds.right(given).tolist(), strict=True)):
            yield at, Guess(texts[guess], right, None, {})


def _refuse_long(golds: Golds) -> None:
    """Raise NotAssessedError where answers are so long that a verdict by which nothing was shown says nothing."""
    texts = [golds.texts[number] for number in golds.accepted[:, 0].tolist()]
    # Words, and one for every two characters of scripts without blanks.
    words = sorted(len(text.split()) + len(_UNDIVIDED.findall(text)) // 2 for text in texts)
    middle = words[len(words) // 2]
    if middle > _LONG:
        raise NotAssessedError(
            f"Half of the answers have {middle:,} words or more (code, translations, summaries, explanations), and no "
            f"strategy gives them whole. That says nothing of answers so long, which are not judged by equality. Audit "
            f"a part of each answer with --answer-part, or the labels by which the answers are judged."
        )


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


def audit_parts(items: Benchmark, settings: Settings, running: Running) -> list[PartAudit]:
    """The parts of the answers that are labels; the first three are audited if that is cheap.

    Each is judged at alpha over the number of those that are audited (Bonferroni).
    """
    parts = label_parts(items.answers)
    count = min(len(parts), _AUDITED) if len(items.prompts) <= CHEAP else 0
    stricter = msgspec.structs.replace(settings, alpha=settings.alpha / max(count, 1))
    return [_audited(items, part, stricter if at < count else None, running) for at, part in enumerate(parts)]


def _audited(items: Benchmark, part: LabelPart, settings: Settings | None, running: Running) -> PartAudit:
    """The part with its own audit; only named without settings for one."""
    kept = [at for at, label in enumerate(part.labels) if label]
    labels = [label for label in part.labels if label]
    verdict, reason, vector = None, "", None
    if settings is not None:
        own = replace(items.taken(kept), answers=labels, accepted=None, choices=None, options=None)

        def progress(stage: str, done: int, total: int) -> None:
            running.progress(f"{part.name}: {stage}", done, total)

        try:
            done = assess(Labels, own, settings, Running(running.workers, progress)).assessed
            verdict, reason = done.judgement.verdict, done.judgement.reason
            vector = done.deciding.result.find(done.judgement.vector)
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
