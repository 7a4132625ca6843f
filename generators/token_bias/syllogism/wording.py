"""Syllogisms in English: quantifiers and their synonyms, the order of the premises, the question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from generators.stream import Stream
from generators.token_bias.syllogism.figures import Figure
from generators.token_bias.syllogism.framing import FRAMES, Sources
from generators.token_bias.syllogism.topics import Triple

__all__ = ["ANSWERS", "PARTICULAR", "PLAIN", "UNIVERSAL", "Wording", "draw_wording", "prompt", "reasoning"]

ANSWERS: Final = ("yes", "no")

PLAIN: Final = ("all {}", "some {}")
UNIVERSAL: Final = ("{}", "without exception, {}", "any and all {}", "one hundred per cent of {}")
"""What may stand for `all roses`; a bare plural is one of them."""
PARTICULAR: Final = (
    "a subset of {}", "certain {}", "several {}", "a number of {}", "a few {}", "at least some {}", "various {}",
    "multiple {}",
)  # fmt: skip
"""What may stand for `some roses`: each says of at least one, or of at least some small number, that it is so. What
holds of so many X, all of which are Y, holds of so many Y, so every one of them is as valid or invalid as `some`."""

_QUESTIONS: Final = (
    "Does the conclusion follow from the premises?",
    "Is this argument logically valid?",
    "Is the following inference valid?",
    "Do the first two statements guarantee the third?",
    "Does the last sentence follow logically from the two before it?",
    "Is this a valid piece of reasoning?",
    "Can the conclusion be deduced from the premises?",
)
_CONDITIONAL: Final = "If the premises are true, must the conclusion be true as well?"
"""One more question, where nothing else says that the premises are to be supposed."""
_GRANTED: Final = (
    "Take what the premises say as given, even if it is not true.",
    "Assume that what the premises say is true, whatever you know about the world.",
    "Suppose that what the premises say is true, whether or not it is.",
    "Judge the logic alone, and take what the premises say as true.",
)
"""Said where a premise may be false of the world, and where a source is not to be believed."""
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


def draw_wording(own: Stream, granted: bool, any_order: bool) -> Wording:
    """A wording with plain quantifiers; with `granted` it says that premises may be false."""
    return Wording(
        *PLAIN,
        question=own.choice(_QUESTIONS if granted else (*_QUESTIONS, _CONDITIONAL)),
        granted=own.choice(_GRANTED) if granted else "",
        hence=own.choice(_HENCE),
        particular_first=any_order and own.coin(),
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
            f"Take the {subject} that {triple.property}: there are some. All {whole} are {part}, so these are {part} "
            f"too. So there must be {part} that {triple.property}, and the conclusion follows."
        )
    return (
        f"There are {subject} that {triple.property}. All {whole} are {part}, but these {part} may all be others than "
        f"{whole}. So the premises can be true and the conclusion false: it does not follow."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
