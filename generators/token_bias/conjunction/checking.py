"""A second way to every gold answer: read the prompt, and compare the statements in all possible worlds.

A world says of the event A and of the second part B whether they are so. A statement that is true in every world of
another, and in one more, is the more probable one, whatever the worlds' (positive) probabilities.
"""

from __future__ import annotations

import re
from itertools import product

from generators.item import Item

__all__ = ["check"]

_PROMPT = re.compile(
    r"(?P<scene>.+)\n\n(?P<asked>Which (?:[a-z]+ )*(?P<question>more|less) probable\?)"
    r"\n\(a\) (?P<a>[^\n]+)\.\n\(b\) (?P<b>[^\n]+)\.",
    re.DOTALL,
)
# What each connective says of the worlds in which the whole is true.
_WORLDS = {
    "and": lambda a, b: a and b,
    "but": lambda a, b: a and b,
    "to": lambda a, b: a and b,  # A with an aim
    "because": lambda a, b: a and b,
    "so that": lambda a, b: a and b,
    "or": lambda a, b: a or b,
}


def check(item: Item) -> list[str]:
    """The faults of an item; empty if prompt, connective, question and answer agree."""
    match = _PROMPT.fullmatch(item.prompt)
    if match is None:
        return ["the prompt is not a scene, a question and the options (a) and (b)"]
    first, last = match["a"], match["b"]
    if first.startswith(last) == last.startswith(first):
        return ["neither statement continues the other"]
    shorter, (event, whole) = ("(a)", (first, last)) if last.startswith(first) else ("(b)", (last, first))
    added = whole.removeprefix(event).removeprefix(",")
    connective = next((word for word in _WORLDS if added.startswith(f" {word} ")), "")
    if not connective:
        return [f"no connective starts {added!r}"]
    faults = []
    if (connective == "or") != bool(re.search(r", or both( will happen)?$", added)):
        faults.append("`or both` goes with `or`, and with nothing else")
    worlds = list(product((True, False), repeat=2))
    short = {world for world in worlds if world[0]}
    long = {world for world in worlds if _WORLDS[connective](*world)}
    if not (short < long or long < short):
        return [*faults, "neither statement follows from the other"]
    short_is_right = (long < short) == (match["question"] == "more")
    right = shorter if short_is_right else {"(a)": "(b)", "(b)": "(a)"}[shorter]
    read = {"connective": connective, "question": match["question"], "shorter": shorter}
    faults += [f"{key} is {item.metadata.get(key)!r}, the prompt says {value!r}" for key, value in read.items()
               if item.metadata.get(key) != value]  # fmt: skip
    return faults + ([] if item.answer == right else [f"answer is {item.answer!r}, the worlds give {right!r}"])
