"""The sentences of each logical form, as text with slots, and their compiled form.

Each list holds alternative sentences with the same meaning. Converse relations share a list, so a sentence and its
converse differ only in keyword and roles. Every template fits every thing and is in the present tense. Comparing words
(more, fewer, times) occur only in comparisons, and every number is a slot.

Slots: {A} the subject, {As} its possessive, {own} her or his, {B} and {Bs} the other agent; {N} `3 red pens`, {q} the
number, {n} the noun in the grammatical number of q, {ns} its plural, {are} the verb that agrees with {N}; {more} more
or fewer; {factor} `twice` or `a third`, {of} `twice` or `a third of`, {many} `as many red pens` or `as much flour`,
{much} `as many`, {kind} what {much} counts; {per} and {pers} the container, {stuff} the contents, {stuffs} the
contents with their verb, {each} `4 pens`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter
from typing import NamedTuple

__all__ = ["ADDITIVE", "CONTAINER", "COUNT", "DIFFERENCE", "DIVIDING", "GETTING", "GIVING", "LATER", "MOVING"]
__all__ += ["MULTIPLICATIVE", "MULTIPLYING", "RADIX", "SLOTS", "TIMELESS", "TOTAL", "Template"]

RADIX = 120
"""A multiple of the length of every list, so one draw below it is uniform over any of them."""

SLOTS = {
    "agent": ("A", "A^", "As", "As^", "N", "q", "ns", "are"),
    "comparison": ("A", "A^", "As", "B", "Bs", "q", "n", "ns", "are", "more", "factor", "of", "many", "much", "kind"),
    "transfer": ("A", "A^", "B", "N"),
    "rate": ("A", "A^", "As", "As^", "own", "N", "are", "per", "pers", "stuff", "stuffs", "each"),
    "question": ("A", "As", "B", "Bs", "ns"),
}
"""Kind of form -> the slots of its templates, in the order of the values that fill them; ^ begins a sentence."""


class Template(NamedTuple):
    """A compiled sentence with slots, filled by `pattern % picked(values)`."""

    pattern: str
    picked: Callable[[tuple[object, ...]], object]
    pronoun: bool
    """Whether the subject may be a pronoun."""
    receives: bool
    """Whether the subject of a transfer is the receiver."""


def _compiled(form: str, *texts: str) -> tuple[Template, ...]:
    assert RADIX % len(texts) == 0
    assert len(set(texts)) == len(texts)
    return tuple(_template(SLOTS[form], text) for text in texts)


def _template(slots: tuple[str, ...], text: str) -> Template:
    receives = False
    if "{R}" in text or "{S}" in text:
        receives = text.find("{R}") >= 0 and (text.find("{S}") < 0 or text.find("{R}") < text.find("{S}"))
        subject, other = ("{R}", "{S}") if receives else ("{S}", "{R}")
        text = text.replace(subject, "{A}").replace(other, "{B}")
    names = re.findall(r"{(\w+)}", text)
    if text.startswith("{"):
        names[0] += "^"
    return Template(
        re.sub(r"{\w+}", "%s", text),
        itemgetter(*(slots.index(name) for name in names)),
        ("{A}" in text or "{As}" in text) and not text.endswith("{A}.") and "{A} and {B}" not in text,
        receives,
    )


LATER = 8
"""The first LATER templates of CONTAINER fit anywhere; the others only open a problem in which something changes."""
TIMELESS = 5
"""The first TIMELESS templates of COUNT also fit problems in which nothing changes."""

CONTAINER = _compiled(
    "agent",
    "{A} has {N}.",
    "{A} owns {N}.",
    "{A} has a total of {N}.",
    "{A} is the owner of {N}.",
    "{A} has exactly {N}.",
    "There {are} {N} in {As} possession.",
    "The number of {ns} that {A} has is {q}.",
    "We know that {A} has {N}.",
    "At first, {A} has {N}.",
    "{A} starts with {N}.",
    "{A} has {N} to begin with.",
    "In the beginning, {A} owns {N}.",
)
ADDITIVE = _compiled(
    "comparison",
    "{A} has {q} {more} {n} than {B}.",
    "{A} has {q} {more} {n} than {B} does.",
    "{A} has {q} {more} {n} than {B} has.",
    "{A} has {q} {n} {more} than {B}.",
    "{A} owns {q} {more} {n} than {B}.",
    "{A} owns {q} {more} {n} than {B} does.",
    "{A} owns {q} {n} {more} than {B}.",
    "{A} has exactly {q} {more} {n} than {B}.",
    "{A} is the owner of {q} {more} {n} than {B}.",
    "Compared with {B}, {A} has {q} {more} {n}.",
    "In comparison with {B}, {A} owns {q} {more} {n}.",
    "When it comes to {ns}, {A} has {q} {more} than {B}.",
    "There {are} {q} {more} {n} in {As} possession than in {Bs}.",
    "We know that {A} has {q} {more} {n} than {B}.",
    "It turns out that {A} has {q} {more} {n} than {B}.",
)
MULTIPLICATIVE = _compiled(
    "comparison",
    "{A} has {factor} {many} as {B}.",
    "{A} has {factor} {many} as {B} does.",
    "{A} has {factor} {many} as {B} has.",
    "{A} owns {factor} {many} as {B}.",
    "{A} has exactly {factor} {many} as {B}.",
    "Compared with {B}, {A} has {factor} {many}.",
    "When it comes to {kind}, {A} has {factor} {much} as {B}.",
    "The number of {ns} that {A} has is {of} the number that {B} has.",
)
MOVING = _compiled(
    "transfer",
    "{S} gives {N} to {R}.",
    "{S} gives {R} {N}.",
    "{S} hands {N} over to {R}.",
    "{S} sells {N} to {R}.",
    "{S} sends {N} to {R}.",
    "{R} gets {N} from {S}.",
    "{R} receives {N} from {S}.",
    "{R} buys {N} from {S}.",
    "{R} takes {N} from {S}.",
    "{R} is given {N} by {S}.",
)
GETTING = _compiled(
    "transfer",
    "{R} buys {N}.",
    "{R} finds {N}.",
    "{R} receives {N} as a gift.",
    "{R} wins {N} in a raffle.",
    "{R} gets {N} from a friend.",
    "{R} buys {N} at the market.",
    "{R} is given {N} by a neighbour.",
    "Someone gives {N} to {R}.",
)
GIVING = _compiled(
    "transfer",
    "{S} sells {N}.",
    "{S} loses {N}.",
    "{S} gives away {N}.",
    "{S} throws away {N}.",
    "{S} gives {N} to a friend.",
    "{S} sells {N} at the market.",
    "{S} donates {N} to a charity.",
    "Someone buys {N} from {S}.",
)
MULTIPLYING = _compiled(
    "rate",
    "Each of {As} {pers} holds {N}.",
    "Each of {As} {pers} contains {N}.",
    "Every one of {As} {pers} holds {N}.",
    "There {are} {N} in each of {As} {pers}.",
    "In each of {As} {pers}, there {are} {N}.",
    "{A} has {N} in each {per}.",
    "{A} keeps {N} in each {per}.",
    "Each {per} that {A} has contains {N}.",
    "Every {per} that {A} owns holds {N}.",
    "{As} {pers} contain {N} each.",
)
DIVIDING = _compiled(
    "rate",
    "{A} packs all of {own} {stuff} into {pers} of {each} each.",
    "{A} puts all of {own} {stuff} into {pers}, {each} to each {per}.",
    "{A} packs all of {own} {stuff} into {pers} that hold {each} each.",
    "{A} places all of {own} {stuff} in {pers}, with {each} in each {per}.",
    "{A} sorts all of {own} {stuff} into {pers} of {each} each.",
    "{A} keeps all of {own} {stuff} in {pers} that contain {each} each.",
    "{A} stores all of {own} {stuff} in {pers} of {each} each.",
    "All of {As} {stuffs} in {pers} that contain {each} each.",
    "All of {As} {stuffs} packed into {pers} of {each} each.",
    "{A} divides all of {own} {stuff} among {pers} that hold {each} each.",
)
COUNT = _compiled(
    "question",
    "How many {ns} does {A} have?",
    "How many {ns} does {A} own?",
    "How many {ns} are in {As} possession?",
    "What is the number of {ns} that {A} has?",
    "Can you work out how many {ns} {A} has?",
    "How many {ns} does {A} have now?",
    "How many {ns} does {A} own now?",
    "How many {ns} does {A} end up with?",
    "In the end, how many {ns} does {A} have?",
    "How many {ns} does {A} have in the end?",
)
TOTAL = _compiled(
    "question",
    "How many {ns} do {A} and {B} have together?",
    "How many {ns} do {A} and {B} have in total?",
    "How many {ns} do {A} and {B} own between them?",
    "Together, how many {ns} do {A} and {B} have?",
    "What is the total number of {ns} that {A} and {B} have?",
)
DIFFERENCE = _compiled(
    "question",
    "How many more {ns} does {A} have than {B}?",
    "How many more {ns} does {A} own than {B}?",
    "How many more {ns} than {B} does {A} have?",
    "Compared with {B}, how many more {ns} does {A} have?",
    "How many more {ns} are in {As} possession than in {Bs}?",
)
