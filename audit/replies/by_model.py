"""Replies by model, each item once: for whoever works on the replies of one model, such as annotation forms.

The files are those of `audit.replies.reply_files`. Scores and statistics do not go this way but through
`audit.replies.joining`, which keeps no texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike

from hansproof.audit.formats.given import Given, called
from hansproof.audit.harnesses.reply import Reply
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
    given: dict[str, Reply] = field(default_factory=dict)
    """Item id -> reply, in the order of the file."""

    @property
    def replies(self) -> dict[str, str | None]:
        """Item id -> what was said; None for a reply that is null, which counts as missing."""
        return {id: reply.reply for id, reply in self.given.items()}

    def refuse_others(self, items: Iterable[Item], source: PathLike[str] | str) -> None:
        """Raise InputError where an answer has the id of no item; and where its digest says that another item with the
        same id was asked, such as one of another seed."""
        ids = {item.id: item for item in items}
        strange = [id for id in self.given if id not in ids]
        if strange:
            many = f"{len(strange):,} replies have ids" if len(strange) > 1 else "a reply has an id"
            raise InputError(
                f"{many} that no item of {source} has; the first is {strange[0][:80]!r} on line "
                f"{self.given[strange[0]].line}; remove them, or pass the matching items with --items",
                self.path,
            )
        other = [reply for id, reply in self.given.items() if reply.digest and not is_of(reply.digest, ids[id])]
        if other:
            raise other_items(len(other), other[0].place, str(source))


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
        if (first := answers.given.get(reply.id)) is not None:
            whose = f" of model {reply.model!r}" if reply.model else ""
            other = ", in another prompt style" if reply.style != first.style else ""
            said = f"the reply{whose} to {reply.id!r} is also on line {first.line}{other}; keep one"
            faults.append(Fault(said, reply.place))
            continue
        used += 1
        answers.given[reply.id] = reply
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
