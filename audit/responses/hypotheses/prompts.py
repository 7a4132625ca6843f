"""Which item a recorded prompt asks: the prompt as it is, or with what a prompt style puts around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from generators.item import Item

__all__ = ["PromptIndex"]

_HEADING = re.compile(r"^(?:Question|Answer):[ \t]*$", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")


class PromptIndex:
    """Finds items by prompts. An item is known by its paragraphs, so that solved examples, hints and requests around
    them do not matter; of several items in one prompt, the last is the one that is asked."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._places: dict[str, int | None] = {}
        self._lengths: dict[str, set[int]] = {}
        for place, item in enumerate(items):
            text = _plain(item.prompt)
            # A prompt that several items have tells none of them.
            self._places[text] = None if text in self._places else place
            paragraphs = text.split("\n\n")
            self._lengths.setdefault(paragraphs[-1], set()).add(len(paragraphs))

    def place(self, prompt: Any) -> tuple[int, str]:
        """(place of the item, ""), or (-1, why there is none). A list of messages counts as their contents."""
        if isinstance(prompt, list):
            contents = [message.get("content") for message in prompt if isinstance(message, dict)]
            prompt = "\n\n".join(content for content in contents if isinstance(content, str))
        if not isinstance(prompt, str):
            return -1, "its prompt is not text"
        text = _plain(prompt)
        if text in self._places:
            return self._known(text)
        paragraphs = text.split("\n\n")
        for end in range(len(paragraphs), 0, -1):
            for length in sorted(self._lengths.get(paragraphs[end - 1], ()), reverse=True):
                if length <= end and (run := "\n\n".join(paragraphs[end - length : end])) in self._places:
                    return self._known(run)
        return -1, "no item has its prompt"

    def _known(self, text: str) -> tuple[int, str]:
        place = self._places[text]
        return (-1, "several items have its prompt; give the id") if place is None else (place, "")


def _plain(text: str) -> str:
    """Without headings of examples, trailing blanks and other line ends: what harnesses change on the way."""
    lines = _HEADING.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    joined = "\n".join(line.rstrip() for line in lines).strip()
    return _PARAGRAPHS.sub("\n\n", joined)
