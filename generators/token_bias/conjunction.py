"""Conjunctions, "A" against "A and B", and their twins with "or": subsets, advice, and the check."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product

from hansproof.generators.dataset import OPTION, Draft, MatchedConditions, Subset
from hansproof.generators.item import Item
from hansproof.generators.token_bias import themes
from hansproof.generators.token_bias.judgement import LABELS, Design, Draw, judgement
from hansproof.generators.token_bias.lexicon.entries import gendered, sections
from hansproof.generators.token_bias.plan import OURS, PAPER, Plan, Room, from_sets

__all__ = ["CONJUNCTION"]

# The examples follow Tversky and Kahneman's Linda (1983) in words of our own. Her twin Bob differs in name and pronouns
# only; neither is ever an item.

HINTS = dict(zip(("weak", "strong"), sections("hints")["conjunction"], strict=True))
"""By the names that styles give them."""


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

# A world says of the event A and of the second part B whether they are so. A statement that is true in every world of
# another, and in one more, is the more probable one, whatever the worlds' (positive) probabilities.

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
    "after": lambda a, b: a and b,
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


_RELEVANCE = ("relevant", "irrelevant")
_FAME = ("famous", "unknown")
_SCALES = tuple(themes.SCALES)


def _plan(design: Design, sets: int, description: str) -> Plan:
    """A balanced subset where the connectives are several, else one of the paper's."""
    balanced = design.balanced
    original, *perturbed = design.conditions
    subset = Subset(
        rows=sets * len(design.conditions),
        description=description,
        form=FORM,
        matched=MatchedConditions(original, tuple(perturbed)),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="" if balanced else "the shorter statement is always the more probable one",
        balanced=balanced,
    )
    make = from_sets(partial(judgement, design), len(design.conditions))
    return Plan(make, check, subset, OURS if balanced else PAPER)


def _story(kind: str, what: str) -> Plan:
    text = f"An event, against the event and {what} (`{kind}`) that the story suggests; or one that it does not."
    return _plan(Design(partial(themes.draw_story, kind=kind), _RELEVANCE, (kind,)), len(themes.STORIES), text)


def _twins(draw: Draw, wordings: tuple[str, ...], sets: int, what: str, clauses: bool = False) -> Plan:
    text = f"{what} joined by `and` or `or`; the more or the less probable statement is asked for."
    return _plan(Design(draw, wordings, ("and", "or"), clauses), sets, text)


CONJUNCTION: Room = {
    "conjunction-persona": _plan(
        Design(themes.draw_persona, _RELEVANCE, ("and",)),
        len(themes.PERSONAS),
        "A job, against the job and an activity that the biography suggests; or one that another biography suggests.",
    ),
    "conjunction-story-to": _story("to", "an aim"),
    "conjunction-story-because": _story("because", "a reason"),
    "conjunction-story-so-that": _story("so that", "a purpose"),
    "conjunction-disease": _plan(
        Design(themes.draw_disease, _RELEVANCE, ("and",)),
        len(themes.SYMPTOMS),
        "A complaint, against the complaint and a symptom that is typical of the disease; or of an unrelated one.",
    ),
    "conjunction-celebrity": _plan(
        Design(themes.draw_celebrity, _FAME, ("but",)),
        3 * len(themes.SCENARIOS),
        "A slip, against the slip and a success, of a well-known person of the past; or of one whom nobody knows.",
    ),
    "conjunction-disaster": _plan(
        Design(partial(themes.draw_disaster, key="after"), _SCALES, ("after",)),
        len(themes.DISASTERS),
        "A disaster, against it and what sets it off, for thousands of people; for hundreds; for tens of thousands.",
    ),
    "balanced-persona": _twins(themes.draw_persona, _RELEVANCE, 8 * len(themes.PERSONAS), "Jobs and activities"),
    "balanced-story": _twins(
        partial(themes.draw_story, kind="and"), _RELEVANCE, 8 * len(themes.STORIES), "Events and further events"
    ),
    "balanced-disease": _twins(themes.draw_disease, _RELEVANCE, 1_120, "Complaints and symptoms"),
    "balanced-celebrity": _twins(themes.draw_celebrity, _FAME, 12 * len(themes.SCENARIOS), "Slips and successes"),
    "balanced-disaster": _twins(
        partial(themes.draw_disaster, key="and"), _SCALES, 12 * len(themes.DISASTERS), "Disasters and damage", True
    ),
}
"""By name, in the order of the release."""
