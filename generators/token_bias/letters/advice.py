"""What a prompt style may add to a question about letters on a die: hints, worked reasoning, a wrong example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from generators.answering.answer_form import OPTION
from generators.dataset import Draft
from generators.item import Item
from generators.token_bias.letters.chances import FACES, occurrences
from generators.token_bias.letters.designs import OFTEN

__all__ = ["EXAMPLES", "FORM", "HINTS", "LABELS"]

LABELS = ("(a)", "(b)", "(c)")

HINTS: Mapping[str, str] = {
    "weak": "Watch out for the conjunction fallacy.",
    "strong": "Watch out for the conjunction fallacy: people take a sequence for more likely than a part of it, "
    "because it looks more like what the die usually shows. But a sequence that is contained in another turns up "
    "whenever the other does, so it is never the less likely of the two. So do not go by how typical the sequences "
    "look. See whether one of them is contained in another, and compare the rest by their letters: how many they need, "
    "how likely each of these is, and whether a sequence can overlap with itself.",
}
"""The weak hint names the fallacy; the strong one also explains it and says how to avoid it."""


def _steps(item: Item) -> str:
    """What is contained in what, what each sequence takes at one place, and the exact chances in all rolls."""
    about = item.metadata
    often, seldom, rolls = about["often"], about["seldom"], about["rolls"]
    rows = [about[name] for name in ("contained", "containing", "third")]
    at_one_place, in_all = [], []
    for row in rows:
        plain = row.replace(often, "1").replace(seldom, "0")
        place = Fraction(OFTEN, FACES) ** plain.count("1") * Fraction(FACES - OFTEN, FACES) ** plain.count("0")
        at_one_place.append(f"{place} for {row}")
        in_all.append(f"{100 * occurrences(plain, OFTEN, rolls) / FACES**rolls:.3g} % for {row}")
    return (
        f"{rows[0]} is a part of {rows[1]}, so it turns up whenever {rows[1]} does, and at other times too. At any one "
        f"place, {often} has a chance of 2/3 and {seldom} of 1/3; that makes {_listed(at_one_place)}. Counted over all "
        f"{rolls} rolls, with overlaps, the chances are {_listed(in_all)}. So {about['gold']} is the "
        f"{about['question']} likely one."
    )


def _listed(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


FORM = replace(OPTION, reasoning=_steps)
"""One of three options, with worked reasoning."""

_DICE = (
    "A fair six-sided die has the letter G on four faces and the letter R on two. Somebody rolls it 25 times and keeps "
    "a record of the letters. Which of these sequences is most likely to turn up as consecutive letters?\n"
    "(a) RGRRR\n(b) GRGRRR\n(c) GRRRRR"
)


def _dice(subset: str) -> Draft:
    return Draft(_DICE, LABELS, "(b)", "example", "example", {"often": "G", "seldom": "R", "rolls": 25})


EXAMPLES: Mapping[str, Callable[[str], Draft]] = {"wrong": _dice}
"""By the name that styles give it: the sequences of Tversky and Kahneman (1983), with another number of rolls than any
item has; the answer is wrong on purpose."""
