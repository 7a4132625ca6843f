"""Syllogisms in English: quantifiers and their synonyms, the order of the premises, the question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from generators.stream import Stream
from generators.token_bias.syllogism.figures import Figure
from generators.token_bias.syllogism.framing import FRAMES, Sources
from generators.token_bias.syllogism.topics import Triple

__all__ = [
    "ANSWERS",
    "LOOSE_PARTICULAR",
    "LOOSE_UNIVERSAL",
    "PARTICULAR",
    "PLAIN",
    "UNIVERSAL",
    "Wording",
    "draw_wording",
    "prompt",
    "reasoning",
]

ANSWERS: Final = ("yes", "no")

PLAIN: Final = ("all {}", "some {}")
UNIVERSAL: Final = (
    "without exception, {}", "{}, without exception,", "all {}, without exception,", "all {}, with no exceptions,",
)  # fmt: skip
"""What may stand for `all roses`."""
PARTICULAR: Final = (
    "certain {}", "several {}", "a number of {}", "at least some {}", "at least a few {}",
)  # fmt: skip
"""What may stand for `some roses`: each says of at least some small number that it is so, and sets no upper bound. What
holds of so many X, all of which are Y, holds of so many Y, so every one of them is as valid or invalid as `some`."""

LOOSE_UNIVERSAL: Final = ("{}", *UNIVERSAL)
LOOSE_PARTICULAR: Final = ("a few {}", *PARTICULAR)
"""The same with looser synonyms, which do not keep the logic in every reading: the paper's bare plural (`roses are
flowers`) may allow for exceptions, `a few` may mean that there are not many. Where nothing follows from `all` and
`some`, nothing follows from these either; in valid syllogisms they have no place. The paper's `a subset of` is left
out: a subset may be empty, so that every conclusion about one follows."""

_QUESTIONS: Final = (
    "Does the conclusion follow logically from the premises?",
    "Is this argument logically valid?",
    "Is the following inference logically valid?",
    "Is this a logically valid piece of reasoning?",
    "Does the conclusion of this argument follow logically?",
)
_COUNTING: Final = (
    "Does the third statement below follow logically from the first two?",
    "Does the third sentence below follow logically from the first two?",
)
"""Two more, where nothing else counts the sentences."""
_CONDITIONAL: Final = "If the premises are true, does it follow logically that the conclusion is true as well?"
"""One more question, where nothing else says that the premises are to be supposed."""
_GRANTED: Final = (
    "Take the premises as given, even if they are not true, and go by nothing else.",
    "Assume that the premises are true, and leave aside whatever else you know.",
    "Suppose that the premises are true, whether or not they are, and go by them alone.",
    "Judge the logic alone: take the premises as true, and use no other knowledge.",
)
"""Said where a premise may be false of the world. Nothing else is to be used: who adds that roses are flowers, though
the premise says that flowers are roses, passes from `some roses` to `some flowers` by that.
"""
_CLAIMS_GRANTED: Final = (
    "Take the claims in the first two sentences below as given, even if they are not true, and go by nothing else.",
    "Assume that the claims in the first two sentences below are true, and leave aside whatever else you know.",
    "Suppose that the claims in the first two sentences below are true, whether or not they are, and go by them alone.",
    "Judge the logic alone: take the claims in the first two sentences below as true, and use no other knowledge.",
)
"""Said where premises are reported too. That somebody claims something is true does not make it so, and without this
nothing would follow."""
_HENCE: Final = ("Therefore,", "So", "Hence,", "It follows that", "Consequently,", "Thus,")


@dataclass(frozen=True)
class Wording:
    """All that is said around the terms."""

    universal: str
    """`all {}`, with a gap for the term."""
    particular: str
    question: str
    granted: str
    """That premises may be false; empty where all of them are true."""
    hence: str
    particular_first: bool
    """Whether the premise with `some` comes before the premise with `all`."""
    frame: str

    def reworded(self, universal: str, particular: str) -> Wording:
        """The same with other quantifiers."""
        return replace(self, universal=universal, particular=particular)


def draw_wording(own: Stream, balanced: bool, framed: bool) -> Wording:
    """A wording with plain quantifiers; a balanced one says that premises may be false, and has them in any order."""
    granted = _CLAIMS_GRANTED if framed else _GRANTED
    questions = (*_QUESTIONS, *(() if balanced and framed else _COUNTING), *(() if balanced else (_CONDITIONAL,)))
    return Wording(
        *PLAIN,
        question=own.choice(questions),
        granted=own.choice(granted) if balanced else "",
        hence=own.choice(_HENCE),
        particular_first=balanced and own.coin(),
        frame=own.choice(FRAMES),
    )


def prompt(triple: Triple, figure: Figure, words: Wording, sources: Sources | None = None) -> str:
    """The prompt; with `sources` the premises are said to come from them."""
    whole, part, subject, concluded = figure.terms(triple)
    first = f"{words.universal.format(whole)} are {part}"
    second = f"{words.particular.format(subject)} {triple.property}"
    if words.particular_first:
        first, second = second, first
    if sources is None:
        premises = f"{_capital(first)}. {_capital(second)}."
    else:
        a, b = sources
        premises = words.frame.format(a=a, b=b, A=_capital(a), B=_capital(b), first=first, second=second)
    conclusion = f"{words.hence} {words.particular.format(concluded)} {triple.property}."
    asked = f"{words.question} {words.granted}" if words.granted else words.question
    return f"{asked}\n\n{premises} {conclusion}\n\nAnswer yes or no."


def reasoning(triple: Triple, figure: Figure) -> str:
    """Why the conclusion follows, or does not, in words, for solved examples."""
    whole, part, subject, _ = figure.terms(triple)
    if figure.valid:
        return (
            f"There are {subject} that {triple.property}. All {whole} are {part}, so these are {part} as well. So "
            f"there must be {part} that {triple.property}: the conclusion follows."
        )
    return (
        f"There are {subject} that {triple.property}. All {whole} are {part}, but none of those that {triple.property} "
        f"need be {whole}. So the premises can be true and the conclusion false: it does not follow."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
