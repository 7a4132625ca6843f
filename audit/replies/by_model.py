"""Replies by model, each item once: for whoever works on the replies of one model, such as annotation forms.

The files are those of `audit.replies.reply_files`. Scores and statistics do not go this way but through
`audit.replies.joining`, which keeps no texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike

from hansproof.audit.formats.given import Given, called
from hansproof.audit.replies.finding import is_of, other_items
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import Fault, InputError, UsageError, unknown
from hansproof.generators.item import Item
from hansproof.generators.jsonl import unreadable

__all__ = ["Answers", "of_model", "read_answers"]


@dataclass
class Answers:
    """The replies of one model."""

    path: str
    model: str
    """The value of `model`; empty where the lines have none."""
    style: str = ""
    """The only prompt style of these replies, where they were asked for by style."""
    replies: dict[str, str | None] = field(default_factory=dict)
    """Item id -> reply, in the order of the file; None for a reply that is null, which counts as missing."""
    lines: dict[str, int] = field(default_factory=dict)
    """Item id -> line of the file, from 1."""

    digests: dict[str, str] = field(default_factory=dict)
    """Item id -> the digest of the item that was asked, where the line gives it."""
    seeds: dict[str, int] = field(default_factory=dict)
    """Item id -> the seed of the item that was asked, where the line gives it."""
    styles: dict[str, str] = field(default_factory=dict)
    """Item id -> the prompt style, where the line gives it."""
    unfinished: dict[str, str] = field(default_factory=dict)
    """Item id -> why the run of it ended before its time, where the line says so."""

    def refuse_others(self, items: Iterable[Item], source: PathLike[str] | str) -> None:
        """Raise InputError where an answer has the id of no item; and where its digest says that another item with the
        same id was asked, such as one of another seed."""
        ids = {item.id: item for item in items}
        strange = [id for id in self.replies if id not in ids]
        if strange:
            many = f"{len(strange):,} replies have ids" if len(strange) > 1 else "a reply has an id"
            raise InputError(
                f"{many} that no item of {source} has; the first is {strange[0][:80]!r} on line "
                f"{self.lines[strange[0]]}; remove them, or pass the matching items with --items",
                self.path,
            )
        other = [id for id, digest in self.digests.items() if not is_of(digest, ids[id])]
        if other:
            raise other_items(len(other), f"{self.path}: line {self.lines[other[0]]}", str(source))


def read_answers(source: Given, styles: Sequence[str] = ()) -> list[Answers]:
    """The answers of one file by model, in order of first occurrence; with `styles`, by model and each of these styles.

    Raises InputError with the place of each fault: those of `read_replies`, replies without an item's id, and the same
    id twice for one model (and style); and where there is not one answer in any style.
    """
    models: dict[tuple[str, str], Answers] = {}
    faults: list[Fault] = []
    used, path = 0, called(source)
    passed = False
    for reply in read_replies(source):
        if styles and reply.style not in styles:
            passed = True
            continue
        if reply.id is None:
            reason = "has no item id; only `hansproof score` finds items by prompt, so give ids"
            faults.append(Fault(reason, reply.place))
            continue
        style = reply.style if styles else ""
        answers = models.setdefault((reply.model, style), Answers(path, reply.model, style))
        if reply.id in answers.lines:
            whose = f" of model {reply.model!r}" if reply.model else ""
            line = answers.lines[reply.id]
            other = ", in another prompt style" if reply.style != answers.styles.get(reply.id, "") else ""
            faults.append(
                Fault(f"the reply{whose} to {reply.id!r} is also on line {line}{other}; keep one", reply.place)
            )
            continue
        used += 1
        answers.lines[reply.id] = reply.line
        answers.replies[reply.id] = reply.reply
        if reply.seed is not None:
            answers.seeds[reply.id] = reply.seed
        about = (reply.digest, answers.digests), (reply.style, answers.styles), (reply.unfinished, answers.unfinished)
        for said, kept in about:
            if said:
                kept[reply.id] = said
    if faults:
        raise unreadable(faults, used + len(faults), usable=used)
    if not models and not passed:
        raise InputError('has no replies; each line is {"id": item id, "reply": text}', path)
    return list(models.values())


def of_model(every: Sequence[Answers], model: str | None) -> Answers:
    """The answers of `model` among those of one file; of its only model where `model` is None.

    Raises UsageError where there are several and none is named, and for a name that does not occur.
    """
    names = [answers.model for answers in every]
    if model is None:
        if len(every) > 1:
            listed = ", ".join(map(repr, names))
            raise UsageError(f"has replies of {len(every)} models; pass --model with one of: {listed}", every[0].path)
        return every[0]
    if model not in names:
        raise unknown("model", model, names, within=every[0].path)
    return every[names.index(model)]
