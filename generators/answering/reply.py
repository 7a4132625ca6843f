"""What of a reply is read: no thoughts, no marks of chat formats, and nothing behind the turn that was asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from unicodedata import normalize

__all__ = ["STRAIGHT", "lines_of", "sentences_of", "turn"]

_END = 30_000
"""Characters that are read at each end of a reply: no answer stands in the middle of a megabyte."""
_THOUGHT = re.compile(r"<(think(?:ing)?|reasoning)>.*?(?:</\1>|\Z)|\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""Thoughts, also where a reply breaks off within them, and where the tag that opens them is not part of it."""
_USER = re.compile(r"<\|(?:im_start|start_header_id)\|>\s*user\b|<\|user\|>|<start_of_turn>user\b", re.IGNORECASE)
_SPECIAL = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|<(?:eos|bos|pad|end_of_turn|start_of_turn)>|\u200b|\ufeff")
_FONTS = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|textrm|operatorname|mbox) ?\{([^{}\n]{0,200})\}")
_UNDERLINED = re.compile(r"_(?<!\w_)_?([^_\n]{1,80})__?(?!\w)")
_NEXT = re.compile(
    r"\n[^\S\n]{0,9}(?:[#*]{1,4} ?)?(?:Q|(?:(?:The )?[Nn]ext )?[Qq]uestion|Problem|Puzzle|Human|User|Instruction)"
    r" ?\d{0,4} ?[:.]"
)
"""Where a model that completes texts goes on with a question that nobody asked."""
STRAIGHT = str.maketrans("’‘İ", "''I")
"""Curly apostrophes and quotes -> straight ones; and the one letter whose small form is longer -> its twin."""
_LINE = re.compile(r"[\r\n]+")
_SENTENCE = re.compile(r"[.!?;](?<!\.\w\.)[\"'”’)\]*_`}]{0,4}(?: (?![a-z])|$)|[。！？；]")


def turn(reply: str, answers: Callable[[str], bool] = lambda text: bool(text.strip())) -> str:
    """The text of the turn that was asked; it ends with the next question where what stands before it `answers`.

    Thoughts (`<think>`) are left out, as are tokens of chat formats and LaTeX fonts, and all that follows the turn of
    a user. Of more than 60,000 characters both ends are kept.
    """
    text = _THOUGHT.sub(" ", reply) if "think" in reply or "reasoning>" in reply else reply
    if len(text) > 2 * _END:
        text = f"{text[:_END]}\n{text[-_END:]}"
    user = _USER.search(text)
    if user and _SPECIAL.sub("", text[: user.start()]).strip():
        text = text[: user.start()]
    text = _FONTS.sub(r"\1", _SPECIAL.sub(" ", text)).replace("\\_", "_")
    text = normalize("NFC", _UNDERLINED.sub(r"\1", text))
    text = text.translate(STRAIGHT)
    for cut in islice(_NEXT.finditer(text), 2):
        if answers(text[: cut.start()]):
            return text[: cut.start()]
    return text


def lines_of(text: str) -> list[str]:
    """The lines that are not blank, with single spaces."""
    return [line for raw in _LINE.split(text) if (line := " ".join(raw.split()))]


def sentences_of(line: str) -> list[str]:
    """The sentences of a line, with their stops."""
    parts: list[str] = []
    start = 0
    for match in _SENTENCE.finditer(line):
        parts.append(line[start : match.end()].strip())
        start = match.end()
    return [part for part in (*parts, line[start:].strip()) if part]
