"""Advice for an author: its texts, in words on options or on pairs, and what does not depend on the shape."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from hansproof.audit.result.audit_result import Duplicates
from hansproof.audit.result.explanation import CLEAR_Z, Cue

__all__ = ["NOT_DONE", "advice", "advise_on_duplicates", "clear_cues", "of_pairs", "rules_advised"]

NOT_DONE = (
    "fast: one split of the items, and intervals wider by what is usual, not by refits; no ladder of simpler "
    "shortcuts, parts of prompts or share of format"
)
"""What a fast audit left out."""

_MOST_CUES = 4
_FEWEST_ITEMS = 5
"""An n-gram in fewer items says more about those items than about the benchmark."""


def clear_cues(cues: Sequence[Cue]) -> list[Cue]:
    """The cues whose items have the answer far more often than all items do, strongest first."""
    clear = [cue for cue in cues if cue.z >= CLEAR_Z and cue.count >= _FEWEST_ITEMS]
    return sorted(clear, key=lambda cue: -cue.z)[:_MOST_CUES]


def advise_on_duplicates(duplicates: Duplicates) -> list[str]:
    """Advice for texts with several golds, and for texts in several published splits."""
    texts = (("DATA001.conflicts", duplicates.conflicting_sets), ("DATA002.shared", duplicates.across_splits))
    return [
        advice(key, texts="1 text occurs" if count == 1 else f"{count:,} texts occur") for key, count in texts if count
    ]


_OF_PAIRS = {
    "is right for": "agrees with the preference in", "in question": "in question", "question": "prompt",
    "right and wrong": "chosen and rejected", "right (or wrong": "chosen (or rejected",
    "right one": "chosen one", "right ones": "chosen ones", "wrong ones": "rejected ones",
    "right option": "chosen reply", "wrong option": "rejected reply", "an option": "a reply", "option": "reply",
    "right options": "chosen replies", "wrong options": "rejected replies", "options": "replies",
}  # fmt: skip
# A hyphen is that of a stable name: `option-cues`.
_TERM = re.compile(rf"(?<![\w-])({'|'.join(sorted(map(re.escape, _OF_PAIRS), key=len, reverse=True))})(?![\w-])", re.I)


def of_pairs(text: str) -> str:
    """Words on options as words on replies of which one was preferred; `text` is ours, and names no text of an item."""

    def worded(term: re.Match[str]) -> str:
        words = _OF_PAIRS[term[0].lower()]
        return words.capitalize() if term[0][0].isupper() else words

    return _TERM.sub(worded, text)


def advice(key: str, *, pairs: bool = False, **values: object) -> str:
    """The text `RULE.name` of `advice.toml` with its values; on options of `pairs` in words on replies."""
    rule, name = key.split(".")
    text = str(_texts()[rule][name])
    return (of_pairs(text) if pairs else text).format(**values)


def rules_advised(*, pairs: bool = False) -> dict[str, str]:
    """What to change about options, by the name of the rule that chooses the right one too often."""
    return {rule: of_pairs(text) if pairs else text for rule, text in _texts()["LEAK003"]["rules"].items()}


@cache
def _texts() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("advice.toml").read_text(encoding="utf-8"))
