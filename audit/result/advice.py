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


_OF_PAIRS = (
    ("is right for", "agrees with the preference in"), (r"\b([Aa])n option", r"\1 reply"),
    (r"right (and|\(or) wrong", r"chosen \1 rejected"), ("right (?=option|one)", "chosen "), ("Right (?=o)", "Chosen "),
    ("wrong (?=option|one)", "rejected "), ("Wrong (?=o)", "Rejected "), ("Option", "Reply"), ("Replys", "Replies"),
    ("(?<!vs other )(?<!whole )option(?! cues)", "reply"), ("replys", "replies"),
    ("(?<=[Tt]he |and |ole )question", "prompt"),
)  # fmt: skip


def of_pairs(text: str) -> str:
    """Words on options as words on replies of which one was preferred; `text` is ours, and names no text of an item."""
    for pattern, words in _OF_PAIRS:
        text = re.sub(pattern, words, text)
    return text


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
