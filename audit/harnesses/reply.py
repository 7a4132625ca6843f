"""One model answer as a file gives it, and what the model was asked, as one text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from hansproof.audit.formats.json_rows import Entry
from hansproof.audit.formats.table import Row, Table

__all__ = [
    "EMPTY_REPLIES",
    "ROLES",
    "Reply",
    "as_asked",
    "entries_of_table",
    "folded",
    "run_of_sample",
    "says_nothing",
    "table_of_replies",
]

# Chat models get a list of messages, completion models one text in which a harness wrote the roles (`User: ...`):
# without roles, two logs of one question become alike.

_ROLES = re.compile(r"^[ \t]*(?:system|user|human|assistant)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_DEEPEST = 4


def as_asked(value: Any) -> str | None:
    """The text of a prompt: itself, or the contents of its messages, joined by blank lines. None for anything else.

    The content of a message may be a list of parts, of which those with a text are read.
    """
    if isinstance(value, str):
        return value
    texts = list(_contents(value, _DEEPEST))
    return "\n\n".join(texts) if texts else None


def folded(prompt: str) -> str:
    """A form in which a prompt as messages and the same prompt as one text are equal: no roles, single spaces."""
    return " ".join(_ROLES.sub(" ", prompt).split())


def _contents(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth:
        yield from _contents(value.get("content", value.get("text", value.get("value"))), depth - 1)
    elif isinstance(value, list) and depth:
        for member in value:
            yield from _contents(member, depth - 1)


EMPTY_REPLIES = "are empty (null, or no text), so they count as missing"
"""What is said of replies that say nothing, after their number."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """One answer; importers make these, joining finds the item."""

    place: str
    """`log.jsonl: line 12`: where it stands."""
    reply: str | None
    """What the model said; None where the file has none (a failed request), or as good as none (`says_nothing`)."""
    id: str | None = None
    """The item's id, where the file gives it."""
    prompt: str | None = None
    """What was asked (messages joined by blank lines, without roles), where the file gives it."""
    model: str = ""
    family: str = ""
    """Models of one family share their training: `gpt`, `llama`. Empty where the file does not say."""
    style: str = ""
    """The prompt style."""
    filter: str = ""
    """How the harness has cut the reply out of what the model said, where its log names that. A log may have a reply
    once per filter, of which the first of the log counts (`audit.replies.reply_files`)."""
    likeliest: bool = False
    """Whether the reply is the option that the model found likeliest, and not what it said."""
    run: str = ""
    """Which repetition: an epoch, a date, a seed."""
    log: str = ""
    """What tells two logs of one model and benchmark apart: the id or date of the run. It becomes the `run` of the
    second one."""
    benchmark: str = ""
    """The benchmark that the log names; empty where it does not."""
    harness: str = ""
    """What wrote the log: `HELM`; empty for tables and the project's own format."""
    golds: tuple[str, ...] = ()
    """The gold answers as the log has them; empty where it has none."""
    choices: tuple[str, ...] = ()
    """The options as the log has them; empty where it has none."""
    condition: str = ""
    """How the item differs from others that are matched with it, such as by a perturbation; empty where the log has no
    matched items."""
    original: str = ""
    """The id that the item has without its perturbation; empty for one that is not perturbed."""
    judged: bool | None = None
    """The verdict of the harness that wrote the log; None where it has none."""
    undecided: str = ""
    """What stands where the verdict should and is neither right nor wrong, as it is written; empty where nothing does.
    """
    partial: bool = False
    """Whether the log says that it holds only a part of its benchmark: its run did not end, or was to ask only so much.
    What it does not name was not asked then."""
    digest: str = ""
    """The digest of the item that was asked, where the line gives it."""
    seed: int | None = None
    """The seed of the item that was asked, where the line gives it."""
    unfinished: str = ""
    """Why a run of many turns ended before its time, where the line says so."""
    about: Sequence[str] = ()
    """What the log says of its run that whoever reads a number must know, a sentence each, with its file: that it did
    not end, or that it asked only a part. All replies of a log share one list, to which its importer may add until its
    last reply is read."""
    line: int = 0
    """The line or row, from 1, on which it stands."""


def says_nothing(reply: str | None) -> bool:
    """Whether there is no reply: null, an empty cell, an empty text or white space alone, in whatever file it stands.

    Tables cannot tell an empty text from nothing, so neither do we: the same answers have the same numbers in every
    format.
    """
    return not reply or reply.isspace()


def run_of_sample(run: str, number: int) -> str:
    """The run of the reply with this number, from 1, where several replies to one question stand together.

    The first ones are the run itself, so that a file in which only some questions have several keeps them together.
    """
    return run if number == 1 else ", ".join(filter(None, (run, f"sample {number}")))


def entries_of_table(table: Table, place: str) -> Iterator[Entry]:
    """The rows of a table as the entries of a log."""
    return (Entry(number, f"{place}: {row.place}", row.values) for number, row in enumerate(table.rows, 1))


ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"), ("id", "id"))
"""The columns of the items that a harness asks."""


def table_of_replies(format: str, replies: Iterable[Reply], log: Table, place: str) -> Table:
    """The items that a log asked, a row each: the prompt, the golds and the options of the first reply to it that
    counts. Where it names several benchmarks they are part of the ids."""
    first: dict[tuple[str, str | None], Reply] = {}
    for reply in replies:
        first.setdefault((reply.benchmark, reply.id or reply.prompt), reply)
    names = list(dict.fromkeys(benchmark for benchmark, _ in first))
    rows = [
        Row(
            reply.place.removeprefix(f"{place}: "),
            {"prompt": reply.prompt, "answer": list(reply.golds), "id": f"{name}/{id}" if len(names) > 1 else id}
            | ({"choices": list(reply.choices)} if reply.choices else {}),
        )
        for (name, id), reply in first.items()
    ]
    benchmark = names[0] if len(names) == 1 else ""
    return Table.of(format, rows, log.left_out, notes=log.notes, defaults=ROLES, benchmark=benchmark)
