"""By what replies are judged where logs hold the gold answers: labels, a part, or the harness's word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from hansproof.audit.formats.table import UnusableError
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.reading.roles import AnswerPart
from hansproof.audit.reading.task_kind import open_ended
from hansproof.audit.tasks.open_answers.golds import final_answer
from hansproof.generators.answering.naming import choices_named
from hansproof.generators.answering.numbers import value
from hansproof.generators.answering.texts import keyed_parts
from hansproof.generators.errors import InputError

__all__ = ["Labels", "labels_of", "standards"]

_POLAR = ({"yes", "no"}, {"true", "false"}, {"yes", "no", "unknown"}, {"true", "false", "unknown"})
"""Answers that are labels however few items there are."""
_OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_USUAL = frozenset(
    re.split(
        r"\s+",
        """yes no true false unknown maybe uncertain undetermined entailment neutral contradiction entailed contradicted
        entails contradicts not_entailment not_contradiction non-entailment supported refuted supports refutes nei
        not_enough_info positive negative mixed objective subjective acceptable unacceptable correct incorrect right
        wrong valid invalid equivalent not_equivalent duplicate not_duplicate paraphrase same different similar relevant
        irrelevant toxic nontoxic non-toxic hate hateful offensive spam ham good bad high low medium left center centre
        moral immoral ethical unethical plausible implausible agree disagree favor favour against none other both joy
        sadness anger fear love surprise disgust happy sad angry""",
    )
)
"""Words that are labels by custom, so that a model may be expected to keep to them."""
_LOOKED_AT = 200
"""Prompts that are searched for labels, evenly spaced."""


@dataclass(frozen=True)
class Labels:
    """The labels of some items: the few answers that all share, and whether anybody says that there are no others."""

    names: tuple[str, ...] | None
    """Sorted; None where answers are open."""
    inferred: bool = False
    """Whether nothing but golds that repeat makes them labels: they are no words of custom, and prompts do not name
    them. A reply may then well give another answer, which is wrong."""


def labels_of(golds: Iterable[str], answers: Sequence[str], prompts: Sequence[str]) -> Labels:
    """The labels of items with these golds (all that count), first golds and prompts; open where there are too many,
    where they are numbers beyond 10, which are calculated rather than chosen, and where they say who is what."""
    distinct = sorted(set(golds))
    if len(distinct) == 1 and (other := _opposite(distinct[0])):
        return Labels(tuple(sorted((distinct[0], other))))
    if len(distinct) < 2:
        return Labels(None)
    folded = {label.casefold() for label in distinct}
    if folded in _POLAR:
        return Labels(tuple(distinct))
    if open_ended(answers) or _calculated(distinct) or all(map(keyed_parts, distinct)):
        return Labels(None)
    usual = all(len(label) < 2 or label.isdecimal() or label.replace(" ", "_") in _USUAL for label in folded)
    return Labels(tuple(distinct), inferred=not usual and not _named(distinct, prompts))


def _opposite(label: str) -> str:
    """The answer that is left beside a gold for all, written like it: `[Yes]` for `[No]`; empty where none is known."""
    word = label.strip(" []().")
    other = _OPPOSITES.get(word.casefold(), "")
    cased = other.upper() if word.isupper() else other.title() if word.istitle() else other
    return label.replace(word, cased) if other else ""


def _calculated(golds: Sequence[str]) -> bool:
    numbers = [value(gold) for gold in golds]
    return None not in numbers and any(not 0 <= number <= 10 or number % 1 for number in numbers if number is not None)


def _named(labels: Sequence[str], prompts: Sequence[str]) -> bool:
    """Whether half of the prompts name two labels or more."""
    looked = prompts[:: max(1, len(prompts) // _LOOKED_AT)]
    return 2 * sum(len(choices_named(prompt, labels)) > 1 for prompt in looked) >= len(looked) > 0


# What a harness logs as its target need not be an answer. It may be a worked solution, of which the end counts, or a
# placeholder beside which the harness has a rule of its own, and where marks are shares no reply is right or wrong.

_PLACEHOLDERS = {"0", "0.0", "-1", "none", "null", "nan", "n/a", "na", "placeholder", "dummy"}
"""Gold answers that say nothing where all items of a benchmark have the same one of them; as written in lower case."""
_FEWEST = 2
"""Items from which on one gold answer for all is taken for a placeholder."""
_ENDS = {"####": "what stands after ####", "\\boxed{": "what stands in the last \\boxed{}"}
_ALONE = "the verdicts of the harness count, there is no chance level, and blind strategies leave its items out"

_Task = tuple[str, str]
"""Benchmark and harness."""


@dataclass
class Standards:
    """The replies of some logs with the gold answers that count, and what is to be known of these."""

    replies: list[Reply] = field(default_factory=list)
    """Without those that are left out."""
    by_harness: set[str] = field(default_factory=set)
    """Benchmarks on which the verdicts of the harness count, because no gold answer is known."""
    left_out: set[_Task] = field(default_factory=set)
    """Benchmarks and harnesses of which no reply can be right or wrong."""
    notes: list[str] = field(default_factory=list)


def standards(replies: Iterable[Reply], part: AnswerPart | None = None) -> Standards:
    """By what each benchmark is judged, each harness's form of it by itself.

    - Marks that are shares (the likelihood of all options that are true): it is left out.
    - No gold answers, or a placeholder for all of them: the verdicts of the harness count. Without verdicts a benchmark
      with a placeholder is left out, and so is one without golds where there are others.
    - Golds of which somebody names the part that counts (`part`), or worked solutions with a known end: that.

    Raises InputError where nothing is left, and for a `part` that no gold has.
    """
    tasks: dict[_Task, list[Reply]] = {}
    for reply in replies:
        tasks.setdefault((reply.benchmark, reply.harness), []).append(reply)
    made = Standards()
    parted = part is None
    for task, own in tasks.items():
        name = task[0] or "the logs"
        reason, judged = _without_golds(own, several=len(tasks) > 1)
        if reason and not judged:
            made.left_out.add(task)
            made.notes.append(f"{name}: in no number: {reason}")
            continue
        if reason:
            made.by_harness.add(task[0])
            made.notes.append(f"{name}: {reason}: {_ALONE}")
            made.replies += [msgspec.structs.replace(reply, golds=(), choices=()) for reply in own]
            continue
        if part is not None and (taken := list(_parts(own, part))):
            parted = True
            lacking = sum(not reply.golds for reply in taken) - sum(not reply.golds for reply in own)
            if lacking:
                made.notes.append(f"{name}: {lacking:,} gold answers lack the part that --answer-part names")
            own = taken
        elif part is None:
            own, mark = _ends(own)
            if mark:
                made.notes.append(f"{name}: the gold answers are worked solutions, of which {_ENDS[mark]} counts")
        made.replies += own
    if not parted and tasks:
        raise InputError("no gold answer in the logs has the part that --answer-part names")
    if tasks and not made.replies:
        raise InputError(f"there is nothing to score: {'; '.join(made.notes)}. Pass items with gold answers: --items")
    return made


def _without_golds(own: Sequence[Reply], *, several: bool) -> tuple[str, bool]:
    """Why golds cannot judge the replies of a benchmark, empty where they can; and whether the verdicts of the harness
    do it then. Without them no reply is right or wrong."""
    graded = next((reply.undecided for reply in own if reply.likeliest and reply.undecided), "")
    if graded:
        return f"its marks are shares, such as {graded}, so that no reply is right or wrong", False
    held, golds = _placeholder(own), any(reply.golds for reply in own)
    if any(reply.judged is not None for reply in own):
        return held or ("" if golds else "its log has no gold answers"), True
    if held:
        return f"{held}, and there are no verdicts of the harness", False
    return "its log has neither gold answers nor verdicts of the harness" if several and not golds else "", False


def _placeholder(own: Sequence[Reply]) -> str:
    """That the golds of a benchmark are a placeholder; empty where they are not."""
    if own[0].choices or len(golds := {reply.golds for reply in own}) > 1:
        return ""
    (gold,) = golds
    if len(gold) != 1 or gold[0].strip().lower() not in _PLACEHOLDERS:
        return ""
    items = {reply.id if reply.id is not None else reply.prompt for reply in own}
    return f"the gold answer of every item is {gold[0]!r}, a placeholder" if len(items) >= _FEWEST else ""


def _parts(own: Sequence[Reply], part: AnswerPart) -> Iterator[Reply]:
    """The replies with the part of their golds that counts, no golds where none has it; none where that is all."""
    taken = []
    for reply in own:
        golds: dict[str, None] = {}
        for gold in reply.golds:
            try:
                golds.setdefault(str(part(gold)).strip())
            except UnusableError:
                continue
        taken.append(msgspec.structs.replace(reply, golds=tuple(filter(None, golds))))
    if any(reply.golds for reply in taken):
        yield from taken


def _ends(own: list[Reply]) -> tuple[list[Reply], str]:
    """The replies with the ends of their golds, and the mark before these, where the golds are worked solutions."""
    open_ = [reply for reply in own if reply.golds and not reply.choices]
    if not open_ or len(open_) < len(own) or any(len(reply.golds) > 1 for reply in own):
        return own, ""
    firsts = [reply.golds[0] for reply in own]
    ends, mark = final_answer(firsts)
    if not mark or ends == firsts:
        return own, ""
    return [msgspec.structs.replace(reply, golds=(end,)) for reply, end in zip(own, ends, strict=True)], mark
