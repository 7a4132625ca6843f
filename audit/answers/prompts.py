"""Which item a recorded prompt asks: the prompt as it is, or with what a prompt style puts around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from audit.harnesses.reply import as_asked, folded
from generators.item import Item

__all__ = ["SEVERAL", "PromptIndex"]

_HEADING = re.compile(r"^(?:Question|Answer):[ \t]*$", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")
_WORDS = 6
"""Words at the end of an item's prompt by which it is looked for within a longer text."""
_FEWEST_WORDS = 3
"""Shorter prompts are in too many texts to be looked for within one."""
SEVERAL = "several items have its prompt; give the id"
"""Why a prompt tells no item though it is known."""


class PromptIndex:
    """Finds items by prompts. An item is known by its paragraphs, so that solved examples, hints and requests around
    them do not matter; of several items in one prompt, the last is the one that is asked. Where paragraphs do not tell,
    all of an item's words in a row do, whatever the white space between them."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._places: dict[str, int | None] = {}
        self._lengths: dict[str, set[int]] = {}
        self._items = items
        self._by_end: dict[tuple[str, ...], dict[int, dict[str, int | None]]] | None = None
        for place, item in enumerate(items):
            text = _plain(item.prompt)
            # A prompt that several items have tells none of them.
            self._places[text] = None if text in self._places else place
            paragraphs = text.split("\n\n")
            self._lengths.setdefault(paragraphs[-1], set()).add(len(paragraphs))

    def place(self, prompt: Any) -> tuple[int, str]:
        """(place of the item, ""), or (-1, why there is none). A list of messages counts as their contents."""
        if not isinstance(prompt, str):
            prompt = as_asked(prompt)
        if prompt is None:
            return -1, "its prompt is not text"
        text = _plain(prompt)
        if text in self._places:
            return self._known(text)
        paragraphs = text.split("\n\n")
        for end in range(len(paragraphs), 0, -1):
            for length in sorted(self._lengths.get(paragraphs[end - 1], ()), reverse=True):
                if length <= end and (run := "\n\n".join(paragraphs[end - length : end])) in self._places:
                    return self._known(run)
        return self._within(prompt)

    def _within(self, prompt: str) -> tuple[int, str]:
        """The item all of whose words stand in a row in `prompt`: the last such, and of those that end there the
        longest."""
        if self._by_end is None:
            self._by_end = {}
            for place, item in enumerate(self._items):
                words = folded(item.prompt).split()
                if len(words) >= _FEWEST_WORDS:
                    alike = self._by_end.setdefault(tuple(words[-_WORDS:]), {}).setdefault(len(words), {})
                    text = " ".join(words)
                    alike[text] = None if text in alike else place
        asked = folded(prompt).split()
        for end in range(len(asked), _FEWEST_WORDS - 1, -1):
            for width in range(min(_WORDS, end), _FEWEST_WORDS - 1, -1):
                lengths = self._by_end.get(tuple(asked[end - width : end]), {})
                for length in sorted(lengths, reverse=True):
                    text = " ".join(asked[end - length : end]) if length <= end else ""
                    if text in lengths[length]:
                        place_of = lengths[length][text]
                        return (-1, SEVERAL) if place_of is None else (place_of, "")
        return -1, "no item has its prompt"

    def _known(self, text: str) -> tuple[int, str]:
        place = self._places[text]
        return (-1, SEVERAL) if place is None else (place, "")


def _plain(text: str) -> str:
    """Without headings of examples, trailing blanks and other line ends: what harnesses change on the way."""
    lines = _HEADING.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    joined = "\n".join(line.rstrip() for line in lines).strip()
    return _PARAGRAPHS.sub("\n\n", joined)
