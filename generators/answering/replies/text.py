"""What of a reply is read for its answer: no thoughts, no marks of chat formats, and both ends of a long one."""

from __future__ import annotations

import re
from unicodedata import normalize

__all__ = ["lines_of", "next_item", "runs_on", "told"]

_END = 30_000
"""Characters that are read at each end of a reply: no answer stands in the middle of a megabyte."""
_TURN = re.compile(r"<\|(?:im_start|start_header_id)\|>\s*user\b|<\|user\|>|<start_of_turn>user\b", re.IGNORECASE)
_SPECIAL = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|<(?:eos|bos|pad|end_of_turn|start_of_turn)>|\u200b|\ufeff")
_LATEX = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|textrm|operatorname) ?\{([^{}\n]{0,200})\}")
_UNDERLINED = re.compile(r"(?<!\w)_{1,2}([^_\n]{1,80})_{1,2}(?!\w)")
_NEXT = re.compile(r"\n[^\S\n]*(?:Q|(?:(?:The )?[Nn]ext )?[Qq]uestion|Problem|Human|User) ?\d{0,4} ?[:.]")
"""Where a reply runs on into a question that nobody asked."""
_FIELD = re.compile(
    r"\n[^\S\n]*(?:Premise|Hypothesis|Passage|Sentence|Text|Review|Input|Context|Statement|Claim|Instruction|Tweet|Story)"
    r" ?\d{0,4} ?:"
)
"""Where it may give the next item, or the parts of its own."""


def told(reply: str) -> str:
    """What the reply tells: without thoughts (`<think>`), what follows the turn of a user, tokens and LaTeX fonts."""
    text = reply.rpartition("</think>")[2]
    text = text if text.strip() else reply
    if len(text) > 2 * _END:
        text = f"{text[:_END]}\n{text[-_END:]}"
    turn = _TURN.search(text)
    if turn and _SPECIAL.sub("", text[: turn.start()]).strip():
        text = text[: turn.start()]
    text = _LATEX.sub(r"\1", _SPECIAL.sub(" ", text)).replace("\\_", "_")
    return normalize("NFC", _UNDERLINED.sub(r"\1", text))


def runs_on(text: str) -> int:
    """Where the text runs on into another question, or its length."""
    cut = _NEXT.search(text)
    return cut.start() if cut and text[: cut.start()].strip() else len(text)


def next_item(text: str) -> int:
    """Where the text may go on to another item (`Premise:`), or its length."""
    cut = _FIELD.search(text)
    return cut.start() if cut and text[: cut.start()].strip() else len(text)


def lines_of(text: str) -> list[str]:
    """The lines that are not blank, with single spaces."""
    return [line for raw in re.split(r"[\r\n]+", text) if (line := " ".join(raw.split()))]
