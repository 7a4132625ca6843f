"""Answers and cues planted into texts, each with a known Cohen's kappa of a perfect reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from error_rates.scenario import Row
from hansproof.generators.lexicon.words import SIZES, words
from hansproof.generators.stream import Stream

__all__ = ["CUES", "LABELS", "even", "hints", "insert", "plant", "rows", "skewed", "synonyms"]

LABELS = ("yes", "no", "unclear", "both")

_MILLION = 1_000_000


def even(n: int, k: int, stream: Stream) -> list[str]:
    """`n` answers of `k` kinds in random order, as many of each kind as possible."""
    return stream.shuffled([LABELS[number % k] for number in range(n)])


def skewed(n: int, k: int, stream: Stream, share: float = 0.8) -> list[str]:
    """`n` answers in random order; the second label has this share, the others divide the rest."""
    most = round(share * n)
    others = [LABELS[0], *LABELS[2:k]]
    return stream.shuffled([LABELS[1]] * most + [others[number % len(others)] for number in range(n - most)])


def hints(answers: Sequence[str], k: int, kappa: float, stream: Stream) -> list[int]:
    """The label that each item's cue points to.

    It is the answer with probability kappa, otherwise any label: for balanced answers a perfect reader agrees in
    kappa + (1 - kappa) / k of the items, and Cohen's kappa is `kappa`.
    """
    shown = [stream.chance(round(kappa * _MILLION), _MILLION) for _ in answers]
    return [LABELS.index(answer) if own else stream.below(k) for answer, own in zip(answers, shown, strict=True)]


def synonyms(k: int, count: int, taken: Sequence[str], stream: Stream) -> list[list[str]]:
    """`count` words for each of `k` labels, all different, and none of them in the texts `taken`."""
    known = set(re.findall(r"\w+", " ".join(taken).lower()))
    pool = [word for kind in ("adjectives", "events", "verbs") for size in SIZES for word in words(kind, size)]
    free = stream.sample([word for word in dict.fromkeys(pool) if word not in known], k * count)
    return [free[number * count : (number + 1) * count] for number in range(k)]


def insert(text: str, word: str, stream: Stream) -> str:
    """The text with a word more, between two of its own or at the end; line breaks and blanks stay."""
    gaps = [match.start() for match in re.finditer(r" (?=\S)", text)] + [len(text)]
    gap = stream.choice(gaps)
    return f"{text[:gap]} {word}{text[gap:]}"


def _worded(count: int) -> Callable[[list[str], list[int], int, Stream], list[str]]:
    def cue(prompts: list[str], pointed: list[int], k: int, stream: Stream) -> list[str]:
        lists = synonyms(k, count, prompts, stream.child("words"))
        draws = stream.child("places")
        return [insert(text, draws.choice(lists[label]), draws) for text, label in zip(prompts, pointed, strict=True)]

    return cue


def _length(prompts: list[str], pointed: list[int], k: int, stream: Stream) -> list[str]:
    """A text gets as many others of the same texts behind it as its label has a number."""
    return [
        " ".join([text, *stream.sample(prompts, label)]) if label else text
        for text, label in zip(prompts, pointed, strict=True)
    ]


def _blank(prompts: list[str], pointed: list[int], k: int, stream: Stream) -> list[str]:
    """One blank of the text is repeated as often as its label has a number."""
    made = []
    for text, label in zip(prompts, pointed, strict=True):
        gap = stream.choice([match.start() for match in re.finditer(r"(?<=\S) (?=\S)", text)] or [len(text)])
        made.append(text[:gap] + " " * label + text[gap:])
    return made


def _capitals(prompts: list[str], pointed: list[int], k: int, stream: Stream) -> list[str]:
    """The first letter is a capital for the first label and a small letter for the others."""
    return [
        (text[:1].lower() if label else text[:1].upper()) + text[1:]
        for text, label in zip(prompts, pointed, strict=True)
    ]


CUES: dict[str, Callable[[list[str], list[int], int, Stream], list[str]]] = {
    "one word": _worded(1),
    "10 synonyms": _worded(10),
    "50 synonyms": _worded(50),
    "length": _length,
    "double blank": _blank,
    "capitals": _capitals,
}
"""(prompts, the label that each item's cue points to, number of labels, stream) -> prompts with the cue."""


def plant(cue: str, prompts: list[str], answers: list[str], kappa: float, stream: Stream, k: int = 2) -> list[Row]:
    """Items whose texts have a cue of this kind and strength."""
    pointed = hints(answers, k, kappa, stream.child("hints"))
    return rows(CUES[cue](prompts, pointed, k, stream.child("cue")), answers)


def rows(prompts: Sequence[str], answers: Sequence[str], groups: Sequence[str] | None = None) -> list[Row]:
    """Items as the audit takes them."""
    made = [{"prompt": text, "answer": answer} for text, answer in zip(prompts, answers, strict=True)]
    if groups is not None:
        for row, group in zip(made, groups, strict=True):
            row["group"] = group
    return made
