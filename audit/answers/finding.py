"""Which item a reply is to."""

from __future__ import annotations

from collections.abc import Sequence

from audit.answers.files.lines import DIGEST
from audit.answers.items import qualified
from audit.answers.prompts import SEVERAL, PromptIndex
from audit.answers.reply import Reply
from generators.errors import InputError
from generators.item import Item

__all__ = ["ItemIndex", "is_of", "other_items"]


def other_items(many: int, first: str, source: str) -> InputError:
    """The error for `many` replies, the first at the place `first`, to items that are not those of `source`."""
    which = f"{many:,} replies are to other items" if many > 1 else "a reply is to another item"
    return InputError(
        f"{which} with the same id as in {source or 'the items'} (another seed?), as {DIGEST} says; "
        "score replies against the very items that you asked about",
        first,
    )


class ItemIndex:
    """Finds the item of a reply: by id, or else by prompt. Raises InputError for items with equal ids."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._ids = {item.id: place for place, item in enumerate(items)}
        if len(self._ids) < len(items):
            raise InputError("two items have the same id; give each subset's file once")
        self._prompts: PromptIndex | None = None

    def place(self, reply: Reply) -> tuple[int, str, bool]:
        """(place, "", whether the prompt, if there is one, confirms it), or (-1, why there is none, True)."""
        by_id = -1
        if reply.id is not None:
            by_id = self._ids.get(reply.id, -1)
            if reply.benchmark:
                by_id = self._ids.get(qualified(reply.benchmark, reply.id), by_id)
        strange = f"no item has the id {str(reply.id)[:80]!r}"
        if reply.prompt is None:
            return by_id, strange if by_id < 0 else "", True
        self._prompts = self._prompts or PromptIndex(self._items)
        by_prompt, reason = self._prompts.place(reply.prompt)
        if by_id < 0:
            return by_prompt, reason if reply.id is None else f"{strange}, and {reason}", True
        if by_prompt not in (-1, by_id) and self._items[by_prompt].prompt != self._items[by_id].prompt:
            return -1, f"its prompt is not that of {reply.id!r}, but another item's", True
        return by_id, "", by_prompt == by_id or reason == SEVERAL


def is_of(digest: str, item: Item) -> bool:
    """Whether a digest is that of an item: of its prompt, or of its whole line."""
    if digest == item.digest():
        return True
    try:
        return digest == item.line_digest()
    except InputError:  # items of third parties have no canonical line
        return False
