"""Parts of a prompt that the text itself names: `Premise: ...`, `Context: ...`, `Q: ...` at the beginning of a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

__all__ = ["MOSTLY", "marked_parts"]

MOSTLY = 0.9
"""Share of the prompts that must have a mark before it names a part of the benchmark."""

_MARK = re.compile(
    r"^[ \t]*(?:#+[ \t]+|\*\*)?([^\W\d_]{1,40}(?:[ _]\w{1,40}){0,2})(?:\*\*)?[ \t]*[:：](?=\s|\*|$)", re.M
)
"""Words of at most 40 letters: of unlimited ones a line of a million underscores takes quadratic time."""
_SAMPLED = 2_000
"""Prompts in which marks are looked for, evenly spaced."""
_MOST = 200
"""Marks examined per prompt: a hostile one has millions."""
_LONG_NAMES = {"q": "question", "h": "hypothesis", "p": "premise", "a": "answer"}


def marked_parts(prompts: Sequence[str]) -> dict[str, list[str]]:
    """The text after each mark up to the next one, by the name of the mark in lower case; empty without marks.

    A mark is one to three words and a colon at the beginning of a line, exactly once in at least `MOSTLY` of the
    prompts. What stands before the first mark is called `passage`. A prompt that lacks a mark has an empty part.
    """
    known = _known(prompts)
    if not known:
        return {}
    parts: dict[str, list[str]] = {name: [] for name in ("passage", *known)}
    for prompt in prompts:
        places = _places(prompt, known)
        ends = [*(start for start, _, _ in places[1:]), len(prompt)]
        texts = {name: prompt[begin:end].strip() for (_, begin, name), end in zip(places, ends)}
        texts["passage"] = prompt[: places[0][0]].strip() if places else prompt.strip()
        for name, of in parts.items():
            of.append(texts.get(name, ""))
    return parts


def _known(prompts: Sequence[str]) -> list[str]:
    """The names of the marks, in the order in which most prompts have them."""
    sample = prompts[:: max(1, len(prompts) // _SAMPLED)]
    seen = [[_name(match) for match in islice(_MARK.finditer(prompt), _MOST)] for prompt in sample]
    times = Counter(name for names in seen for name, count in Counter(names).items() if count == 1)
    # `passage` is what stands before the marks.
    known = {name for name, count in times.items() if count >= MOSTLY * len(sample) and name != "passage"}
    orders = Counter(tuple(name for name in names if name in known) for names in seen)
    common = min(orders.items(), key=lambda entry: (-entry[1], entry[0]))[0] if orders else ()
    return list(dict.fromkeys(common))


def _places(prompt: str, known: Sequence[str]) -> list[tuple[int, int, str]]:
    """(start of the mark, end of the mark, name) of the first occurrence of each known mark, in reading order."""
    places: dict[str, tuple[int, int, str]] = {}
    for match in islice(_MARK.finditer(prompt), _MOST):
        name = _name(match)
        if name in known and name not in places:
            places[name] = (match.start(), match.end(), name)
    return list(places.values())


def _name(match: re.Match[str]) -> str:
    folded = match[1].casefold().replace("_", " ")
    return _LONG_NAMES.get(folded, folded)
