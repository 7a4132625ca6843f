"""What a prompt style may add to a judgement of two statements: hints, worked reasoning, and the best-known example.

The examples follow Tversky and Kahneman's Linda (1983) in words of our own. Her twin Bob differs in name and pronouns
only; neither is ever an item.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from generators.answering.answer_form import OPTION
from generators.dataset import Draft
from generators.item import Item
from generators.token_bias.conjunction.judgement import LABELS
from generators.token_bias.lexicon.entries import gendered

__all__ = ["EXAMPLES", "FORM", "HINTS"]

HINTS: Mapping[str, str] = {
    "weak": "Watch out for the conjunction fallacy.",
    "strong": "Watch out for the conjunction fallacy: people often judge a detailed statement to be more probable than "
    "one of its own parts, because the details fit the picture. But two things together are never more probable than "
    "either of them, and a statement that is true if at least one of two things is true is never less probable than "
    "either of them. So work out which statement follows from the other, and ignore everything else.",
}
"""The weak hint names the fallacy; the strong one also explains it and says how to avoid it."""


def _steps(item: Item) -> str:
    """The worked reasoning of an item, from its connective, its question and the place of its shorter statement."""
    connective, question = item.metadata["connective"], item.metadata["question"]
    short = item.metadata["shorter"]
    long = LABELS[1 - LABELS.index(short)]
    if connective == "or":
        lines = [
            f"Statement {long} is true if at least one of its two parts is true, and {short} is one of them.",
            f"Whenever {short} is true, {long} is true as well, and {long} can be true without {short}.",
            f"So {long} is the more probable statement, whatever the text says about the person or the situation.",
        ]
    else:
        lines = [
            f"Statement {long} says everything that statement {short} says, and something more.",
            f"Whenever {long} is true, {short} is true as well, and {short} can be true without {long}.",
            f"So {short} is the more probable statement, whatever the text says about the person or the situation.",
        ]
    return "\n".join([*lines, f"The question asks for the {question} probable one."])


FORM = replace(OPTION, reasoning=_steps)
"""One of two options, with worked reasoning."""

_SCENE = (
    "{name} is 31 years old, lives alone and says what {he} thinks. {He} took a degree in philosophy. In {his} student "
    "days, {he} cared deeply about fairness and joined marches against discrimination."
)
_EVENT = "{name} is a bank teller"


def _example(name: str, gender: str, answer: str) -> Callable[[str], Draft]:
    scene, event = (gendered(text, gender).replace("{name}", name) for text in (_SCENE, _EVENT))
    prompt = f"{scene}\n\nWhich is more probable?\n(a) {event}.\n(b) {event} and is active in the feminist movement."
    metadata = {"connective": "and", "question": "more", "shorter": "(a)"}

    def draft(subset: str) -> Draft:
        return Draft(prompt, LABELS, answer, "example", "example", dict(metadata))

    return draft


EXAMPLES: Mapping[str, Callable[[str], Draft]] = {
    "linda": _example("Linda", "woman", "(a)"),
    "bob": _example("Bob", "man", "(a)"),
    "wrong": _example("Linda", "woman", "(b)"),
}
"""Solved examples by the names that styles give them; the answer of `wrong` is wrong on purpose."""
