"""Files of model answers: one JSON object per line, joined to items by id.

They come from whatever harness ran the model, so every line is checked and every fault has its place. What comes out is
one mapping of replies per model, for `scoring` and for annotation forms.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from generators.errors import Fault, InputError, UsageError, not_utf8, refused, unknown
from generators.input.opening import open_regular
from generators.item import Item
from generators.jsonl import json_fault, unreadable

__all__ = ["DIGEST", "LONGEST_MODEL", "REPLY_KEYS", "Answers", "of_model", "other_items", "read_answers"]

DIGEST = "item_digest"
"""The optional key that says which item was asked: `Item.digest`, as `hansproof prompts` writes it, or
`Item.line_digest`, as `hansproof run` does."""

LONGEST_MODEL = 200
"""Characters of the name of a model: it stands in tables and titles."""

REPLY_KEYS = ("reply", "response", "output", "completion")
"""The keys under which a reply may stand; a line has exactly one of them."""


@dataclass
class Answers:
    """The replies of one model."""

    path: str
    model: str
    """The value of `model`; empty where the lines have none."""
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
        """Raise InputError where an answer has the id of no item, and so would vanish from every mean; and where its
        digest says that another item with the same id was asked, such as one of another seed."""
        ids = {item.id: item for item in items}
        strange = [id for id in self.replies if id not in ids]
        if strange:
            many = f"{len(strange):,} replies have ids" if len(strange) > 1 else "a reply has an id"
            raise InputError(
                f"{many} that no item of {source} has; the first is {strange[0][:80]!r} on line "
                f"{self.lines[strange[0]]}; remove them, or pass the matching items with --items",
                self.path,
            )
        other = [id for id, digest in self.digests.items() if digest not in (ids[id].digest(), ids[id].line_digest())]
        if other:
            raise other_items(len(other), self.lines[other[0]], self.path, source)


def other_items(many: int, line: int, path: str, source: PathLike[str] | str) -> InputError:
    """The error for `many` replies in `path`, the first on `line`, to items that are not those of `source`."""
    which = f"{many:,} replies are to other items" if many > 1 else "a reply is to another item"
    return InputError(
        f"{which} with the same id as in {source} (another seed?), as {DIGEST} says; the first is on line {line}; "
        "score replies against the very items that you asked about",
        path,
    )


def read_answers(path: Path | str) -> list[Answers]:
    """The answers of a file by model, in order of first occurrence; blank lines are skipped.

    Raises InputError with the place of each fault: broken JSON, no id, none or several of REPLY_KEYS, a reply that is
    not text, the same id twice for one model; and where there is not one answer.
    """
    models: dict[str, Answers] = {}
    faults: list[Fault] = []
    lines = 0
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        lines += 1
        place = f"{path}: line {number}"
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            faults.append(Fault(f"{json_fault(error)}; write one JSON object per line", place))
            continue
        wrong = _fault(record)
        if wrong:
            faults.append(Fault(wrong, place))
            continue
        model = record.get("model") or ""
        answers = models.setdefault(model, Answers(str(path), model))
        id = record["id"]
        if id in answers.lines:
            whose = f" of model {model!r}" if model else ""
            faults.append(Fault(f"the reply{whose} to {id!r} is also on line {answers.lines[id]}; keep one", place))
            continue
        answers.lines[id] = number
        answers.replies[id] = next(record[key] for key in REPLY_KEYS if key in record)
        if (digest := record.get(DIGEST)) is not None:
            answers.digests[id] = digest
        if type(seed := record.get("seed")) is int:
            answers.seeds[id] = seed
        for key, kept in (("style", answers.styles), ("unfinished", answers.unfinished)):
            if isinstance(said := record.get(key), str):
                kept[id] = said
    if faults:
        raise unreadable(faults, lines, usable=lines - len(faults))
    if not models:
        raise InputError('has no replies; each line is {"id": item id, "reply": text}', str(path))
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


def _lines(path: Path | str) -> Iterator[str]:
    number = 0
    try:
        with open_regular(path) as file:
            for number, line in enumerate(file, start=1):
                # Editors of some systems put a byte order mark in front.
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(error, f"{path}: line {number}") from error
    except OSError as error:
        raise refused("read", error, str(path)) from error


def _fault(record: Any) -> str:
    """What keeps a parsed line from being an answer; empty where nothing does."""
    if not isinstance(record, dict):
        return 'is not a JSON object; each line is {"id": item id, "reply": text}'
    id = record.get("id")
    if not isinstance(id, str) or not id:
        if "id" in record:
            return "its id is not text"
        by_prompt = "; replies by prompt are matched only with --test, so give ids" if "prompt" in record else ""
        return f"has no item id{by_prompt}"
    keys = [key for key in REPLY_KEYS if key in record]
    if not keys:
        return f"has no reply under any of the keys {', '.join(REPLY_KEYS)}"
    if len(keys) > 1:
        return f"has {' and '.join(keys)}; keep the one that is the reply"
    if record[keys[0]] is not None and not isinstance(record[keys[0]], str):
        return f"its {keys[0]} is not text"
    if not isinstance(record.get(DIGEST), str | None):
        return f"its {DIGEST} is not text"
    model = record.get("model")
    # Names of models reach a terminal: no escape sequences, no half surrogate pairs.
    if model is not None and not (isinstance(model, str) and model.isprintable()):
        return "its model is not printable text"
    if model is not None and len(model) > LONGEST_MODEL:
        return f"its model has {len(model):,} characters; a name has at most {LONGEST_MODEL}"
    return _run_fault(record) if "unfinished" in record else ""


def _run_fault(record: dict[str, Any]) -> str:
    """What keeps a line from being one of `hansproof run`; other harnesses may mean something else by these keys."""
    for key in ("style", "unfinished"):
        if not isinstance(record.get(key), str | None):
            return f"its {key} is not text"
    retries = record.get("retries", 0)
    if type(retries) is not int or retries < 0:
        return "its retries are not a whole number of at least 0"
    return ""
