"""Templates that people wrote: sentences with slots, and the words for the slots in all their forms.

A slot is a variable and the number of a form: `{X2}` is the thing X in its third form. One variable has one filling
per item, and two variables of a kind never have the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generators.stream import Stream

__all__ = ["Forms", "Language", "filled", "only"]

Forms = tuple[str, ...]
"""One word in every form that a slot may ask for."""

_SLOT = re.compile(r"\{([A-Z])(\d)\}")
_STEP = 5  # two templates with one part in common then differ in the other two, for up to three rounds of twelve


@dataclass(frozen=True)
class Language:
    """Twelve openings, twelve middles and twelve questions make 36 templates; no two share more than one part."""

    openings: Sequence[str]
    middles: Sequence[str]
    questions: Sequence[str]
    fillings: Mapping[str, Sequence[Forms]]
    """Variable -> what it may stand for. Variables of one kind share one sequence."""
    space: str
    """What stands between two sentences."""

    def text(self, number: int, stream: Stream) -> str:
        """An item of template `number`, 0 to 35, with words drawn from `stream`."""
        n = len(self.openings)
        shift, opening = divmod(number, n)
        middle, question = (opening + shift) % n, (opening + _STEP * shift) % n
        parts = (self.openings[opening], self.middles[middle], self.questions[question])
        return self.space.join(capitalised(part) for part in filled(parts, self.fillings, stream))


def filled(parts: Sequence[str], fillings: Mapping[str, Sequence[Forms]], stream: Stream) -> list[str]:
    """The parts with every slot filled."""
    chosen: dict[str, Forms] = {}

    def filling(slot: re.Match[str]) -> str:
        variable, form = slot[1], int(slot[2])
        if variable not in chosen:
            draws = stream.child(variable)
            forms = draws.choice(fillings[variable])
            while forms in chosen.values():
                forms = draws.choice(fillings[variable])
            chosen[variable] = forms
        return chosen[variable][form]

    return [_SLOT.sub(filling, part) for part in parts]


def capitalised(text: str) -> str:
    """The text with a capital first letter, where its script has capitals."""
    return text[:1].upper() + text[1:]


def only(words: str) -> tuple[Forms, ...]:
    """Words with a single form, from a text in which blanks separate them and `_` is a blank."""
    return tuple((word.replace("_", " "),) for word in words.split())
