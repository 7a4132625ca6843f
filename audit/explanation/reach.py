"""What a person reads of the injected cues: one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import kappa
from audit.records.numbers import Findable

__all__ = ["what_is_found"]

_NAMES = {
    "1 word per answer": "one word per answer",
    "10 words per answer": "ten words per answer",
    "50 words per answer": "fifty words per answer",
}


def what_is_found(findables: Sequence[Findable]) -> str:
    """`In these texts the audit would find (80 % of the time) a cue of one word per answer from kappa .14, ...`.

    Empty if no kind was injected.
    """
    known = [f"{_of(entry)} from kappa {kappa(entry.kappa)}" for entry in findables if entry.kappa is not None]
    missed = [_of(entry) for entry in findables if entry.kappa is None]
    sentences = []
    if known:
        text = f"In these texts the audit would find (80 % of the time) a cue {_listed(known, 'and')}."
        sentences.append(text + " It would miss weaker or subtler ones.")
    if missed:
        sentences.append(f"It would not find a cue {_listed(missed, 'or')}, however strong.")
        if not known:
            sentences[0] = sentences[0].replace("It", "In these texts the audit", 1)
    return " ".join(sentences)


def _of(entry: Findable) -> str:
    return f"of {_NAMES.get(entry.kind, entry.kind)}"


def _listed(parts: Sequence[str], last: str) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"
