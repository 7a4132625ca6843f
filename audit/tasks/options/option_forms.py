"""How an option is written, whatever it says: Markdown, refusals, opening words. Simple rules go by it, no probe."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from hansproof.audit.tasks.options.option_rows import Floats, OptionPool
from hansproof.audit.texts.tokens import WORD, fold

__all__ = ["FORMS", "form_values"]

FORMS = ("marks of Markdown", "refusals", "opens like the question", "commonness of the opening")

_MARKDOWN = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]+\S|(?:[-*+]|\d{1,3}[.)])[ \t]+\S|```|>[ \t])|\*\*[^*\n]+\*\*|`[^`\n]+`", re.M
)
"""Headings, list items, code, quotations at the beginning of a line; bold words and code within it."""

_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:(?:so|very|really|just|only) )?(?:sorry|an ai|not able|unable|not programmed)"
    r"|i (?:must |have to )?apologi[sz]e|as an? (?:ai|(?:large )?language model)|don't feel comfortable"
    r"|(?:i|we) (?:can ?not|can't|won't|will not|could not|couldn't))\b"
)
"""English only: `I cannot`, `I'm sorry`, `As an AI`."""

_BEGINNING, _OPENING = 400, 2
"""Characters among which a refusal stands, and words of an opening."""


def form_values(pool: OptionPool) -> Floats:
    """(R, FORMS) float64.

    An opening is as common as there are items with an option that has it.
    """
    beginnings = [fold(text[:_BEGINNING]).replace("’", "'") for text in pool.texts]
    openings = [tuple(WORD.findall(text)[:_OPENING]) for text in beginnings]
    asked = [tuple(WORD.findall(fold(question[:_BEGINNING]))[:_OPENING]) for question in pool.questions]
    items = pool.item.tolist()
    common = Counter(opening for _, opening in sorted({*zip(items, openings, strict=True)}))
    columns = [
        [len(_MARKDOWN.findall(text)) for text in pool.texts],
        [_REFUSAL.search(text) is not None for text in beginnings],
        [opening == asked[item] for item, opening in zip(items, openings, strict=True)],
        [common[opening] for opening in openings],
    ]
    return np.array(columns, dtype=np.float64).T
