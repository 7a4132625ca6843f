"""Which item a reply is to: by its id, or by the prompt that was recorded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import NamedTuple, TypeVar

import msgspec

from hansproof.audit.harnesses.answer_lines import DIGEST
from hansproof.audit.harnesses.reply import Reply, folded
from hansproof.audit.replies.foreign_items import id_within, qualified
from hansproof.generators.errors import InputError, Progress, unwatched
from hansproof.generators.item import Item

__all__ = ["ItemIndex", "Placed", "is_of", "other_items", "watched"]

_HEADING = re.compile(r"^(?:Question|Answer):[ \t]*$", re.MULTILINE)
_WORDS = 6
"""Words at the end of an item's prompt by which it is looked for within a longer text."""
_FEWEST_WORDS = 3
"""Shorter prompts are in too many texts to be looked for within one."""
SEVERAL = "several items have its prompt; give the id"
"""Why a prompt tells no item though it is known."""


class PromptIndex:
    """Finds items by prompts: by all of an item's words in a row, whatever the white space between them, so that solved
    examples, hints and requests around them do not matter; of several items in one prompt, the last one is asked."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._places: dict[str, int | None] = {}
        self._by_end: dict[tuple[str, ...], set[int]] = {}
        """The last words of an item -> how many words items have that end so."""
        for place, item in enumerate(items):
            words = _words(item.prompt)
            text = " ".join(words)
            # A prompt that several items have tells none of them.
            self._places[text] = None if text in self._places else place
            if len(words) >= _FEWEST_WORDS:
                self._by_end.setdefault(tuple(words[-_WORDS:]), set()).add(len(words))

    def place(self, prompt: str) -> tuple[int, str]:
        """(place of the item, ""), or (-1, why there is none)."""
        asked = _words(prompt)
        if (text := " ".join(asked)) in self._places:
            return self._known(text)
        for end in range(len(asked), _FEWEST_WORDS - 1, -1):
            for width in range(min(_WORDS, end), _FEWEST_WORDS - 1, -1):
                for length in sorted(self._by_end.get(tuple(asked[end - width : end]), ()), reverse=True):
                    text = " ".join(asked[end - length : end]) if length <= end else ""
                    if text in self._places:
                        return self._known(text)
        return -1, "no item has its prompt"

    def _known(self, text: str) -> tuple[int, str]:
        place = self._places[text]
        return (-1, SEVERAL) if place is None else (place, "")


def _words(text: str) -> list[str]:
    """The words of a prompt without headings of examples, which harnesses add."""
    return folded(_HEADING.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))).split()


_FLOAT = re.compile(r"\d+\.0")


def other_items(many: int, first: str, source: str) -> InputError:
    """The error for `many` replies, the first at the place `first`, to items that are not those of `source`."""
    which = f"{many:,} replies are to other items" if many > 1 else "a reply is to another item"
    return InputError(
        f"{which} with the same id as in {source or 'the items'} (another seed?), as {DIGEST} says; "
        "score replies against the very items that you asked about",
        first,
    )


T = TypeVar("T")
_WATCHED = 100  # replies between two calls of the progress


def watched(replies: Iterable[T], progress: Progress) -> Iterator[T]:
    """The replies, told to `progress` where it is known how many they are; what is read from files tells itself."""
    total = len(replies) if isinstance(replies, Sized) else 0
    for number, reply in enumerate(replies):
        if total and number % _WATCHED == 0:
            progress("scoring replies", number, total)
        yield reply


class Placed(NamedTuple):
    """Where a reply belongs."""

    place: int
    """Of its item; -1 for none."""
    reason: str
    """Why there is none."""
    confirmed: bool
    """Whether the prompt, if there is one, confirms the item."""


class ItemIndex:
    """Finds the item of a reply: by id, or else by prompt. Raises InputError for items with equal ids."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._ids = {item.id: place for place, item in enumerate(items)}
        if len(self._ids) < len(items):
            raise InputError("two items have the same id; give each subset's file once")
        # What has no id in a log of rows is called by its row there, too.
        self._ids = {id_within(item): place for place, item in enumerate(items)} | self._ids
        self._whole: dict[str, int] = {}
        """Id without the point of a float -> place, where that is one item."""
        for id, place in self._ids.items():
            name = _whole(id)
            self._whole[name] = place if self._whole.get(name, place) == place else -1
        self._prompts: PromptIndex | None = None
        self._names: dict[tuple[str, str], set[str]] = {}
        self.by_id: dict[str, int] = {}
        """Task that replies name, empty for none -> those that `placed` has joined by id alone: they name a task that
        is called otherwise than the items, or none and have a mere number for an id."""

    def placed(self, replies: Iterable[Reply], progress: Progress = unwatched) -> Iterator[tuple[Reply, Placed]]:
        """Each reply and where it belongs.

        Tasks are often renamed, so that a name which is not that of the items proves nothing. But where a model has
        replies to some items under their own name, or with their prompts, and others under another name to the same
        items, those of the other name are to no item. What only names decide comes last, therefore. Raises InputError
        where a series has replies to one item under several other names.
        """
        held: list[tuple[Reply, Placed]] = []
        own: dict[tuple[str, int], str] = {}  # model and item -> the name of the task, where it is the item's own
        confirmed: set[str] = set()
        for given in replies:
            reply = self._unperturbed(given)
            placed = self.place(reply)
            if placed.place < 0 or reply.digest:
                yield reply, placed
            elif not reply.benchmark:
                if reply.prompt is None and _whole(reply.id or "").isdecimal():
                    self.by_id[""] = self.by_id.get("", 0) + 1
                yield reply, placed
            elif (sure := reply.prompt is not None and placed.confirmed) or self._is_own(reply, placed.place):
                own.setdefault((reply.model, placed.place), reply.benchmark)
                confirmed |= {reply.benchmark} if sure else set()
                yield reply, placed
            else:
                held.append((msgspec.structs.replace(reply, prompt=None), placed))
        names: dict[tuple[str, str, str, int], str] = {}
        foreign: dict[tuple[str, str], str] = {}  # model and name of another task -> that of the items
        for reply, placed in held:
            if (task := own.get((reply.model, placed.place))) is not None:
                foreign.setdefault((reply.model, reply.benchmark), task)
        for reply, placed in watched(held, progress):
            name = reply.benchmark
            if name in confirmed:
                yield reply, placed
            elif (reply.model, name) in foreign:
                reason = f"its task is {name!r}, and that of items with such ids is {foreign[reply.model, name]!r}"
                yield reply, Placed(-1, reason, True)
            elif (first := names.setdefault((reply.model, reply.style, reply.run, placed.place), name)) != name:
                raise InputError(
                    f"{first!r} and {name!r} are two tasks with the same id {str(reply.id)[:80]!r}, and the items do "
                    f"not say of which of them they are: give them ids such as "
                    f"{qualified(name, str(reply.id))[:80]!r}, or score the replies to one task at a time",
                    reply.place,
                )
            else:
                self.by_id[name] = self.by_id.get(name, 0) + 1
                yield reply, placed

    def _unperturbed(self, reply: Reply) -> Reply:
        """A reply to a perturbed item that is none of the items: in a style of its own, to the original."""
        if not reply.original or self._by_id(reply) >= 0:
            return reply
        return msgspec.structs.replace(reply, id=reply.original, style=reply.condition)

    def _is_own(self, reply: Reply, place: int) -> bool:
        """Whether the task that a reply names is called as its item's dataset or subset."""
        item = self._items[place]
        if item.id.startswith(f"{reply.benchmark}/"):
            return True
        dataset, subset = (str(item.metadata.get(key, "")) for key in ("dataset", "subset"))
        if (dataset, subset) not in self._names:
            self._names[dataset, subset] = {_bare(name) for name in (dataset, subset, f"{dataset} {subset}")} - {""}
        return _bare(reply.benchmark) in self._names[dataset, subset]

    def _by_id(self, reply: Reply) -> int:
        """The item that has the id of a reply; -1 for none."""
        if reply.id is None:
            return -1
        place = self._ids.get(reply.id, -1)
        if place < 0:  # tables that had an empty cell somewhere write 1 as 1.0
            place = self._whole.get(_whole(reply.id), -1)
        return self._ids.get(qualified(reply.benchmark, reply.id), place) if reply.benchmark else place

    def place(self, reply: Reply) -> Placed:
        """The item of a reply, whatever else there is."""
        by_id = self._by_id(reply)
        strange = f"no item has the id {str(reply.id)[:80]!r}"
        if reply.prompt is None:
            strange = strange if reply.id is not None else "it has neither an id nor a prompt"
            return Placed(by_id, strange if by_id < 0 else "", True)
        self._prompts = self._prompts or PromptIndex(self._items)
        by_prompt, reason = self._prompts.place(reply.prompt)
        if by_id < 0:
            return Placed(by_prompt, reason if reply.id is None else f"{strange}, and {reason}", True)
        if by_prompt not in (-1, by_id) and self._items[by_prompt].prompt != self._items[by_id].prompt:
            return Placed(-1, f"its prompt is not that of {reply.id!r}, but another item's", True)
        return Placed(by_id, "", by_prompt == by_id or reason == SEVERAL)


def _whole(id: str) -> str:
    """`1` for `1.0`; any other id as it is."""
    return id.removesuffix(".0") if _FLOAT.fullmatch(id) else id


def _bare(name: str) -> str:
    """A task's name without its folder, case and punctuation: `inspect_evals/GSM-8k` is `gsm 8k`."""
    return " ".join(re.split(r"[\W_]+", name.rpartition("/")[2].casefold())).strip()


def is_of(digest: str, item: Item) -> bool:
    """Whether a digest is that of an item: of its prompt, or of its whole line."""
    if digest == item.digest():
        return True
    try:
        return digest == item.line_digest()
    except InputError:  # items of third parties have no canonical line
        return False
