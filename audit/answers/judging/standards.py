"""By what the replies of logs are judged that hold their own gold answers: these, a part of them, or only the harness.

What a harness logs as its target need not be an answer. It may be a worked solution, of which the end counts, or a
placeholder beside which the harness has a rule of its own, and where marks are shares no reply is right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from audit.formats.table import UnusableError
from audit.harnesses.reply import Reply
from audit.reading.roles import AnswerPart
from audit.tasks.open_answers.golds import final_answer
from generators.errors import InputError

__all__ = ["Standards", "standards"]

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
        if reason := _unjudged(own, several=len(tasks) > 1):
            made.left_out.add(task)
            made.notes.append(f"{name}: in no number: {reason}")
            continue
        if reason := _ungraded(own):
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


def _unjudged(own: Sequence[Reply], *, several: bool) -> str:
    """Why no reply of a benchmark can be right or wrong; empty where some can be."""
    graded = next((reply.undecided for reply in own if reply.likeliest and reply.undecided), "")
    if graded:
        return f"its marks are shares, such as {graded}, so that no reply is right or wrong"
    if any(reply.judged is not None for reply in own):
        return ""
    if held := _placeholder(own):
        return f"{held}, and there are no verdicts of the harness"
    if several and not any(reply.golds for reply in own):
        return "its log has neither gold answers nor verdicts of the harness"
    return ""


def _ungraded(own: Sequence[Reply]) -> str:
    """Why only the verdicts of the harness, which there are, can judge a benchmark; empty where golds can."""
    if not any(reply.judged is not None for reply in own):
        return ""
    return _placeholder(own) or ("" if any(reply.golds for reply in own) else "its log has no gold answers")


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
