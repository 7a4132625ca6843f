"""The sentences of each logical form, as text with slots.

Each list holds alternative sentences with the same meaning. Converse relations share a list, so a sentence and its
converse differ only in keyword and roles. A frame starts with a small letter and has no full stop: the wording puts a
circumstance before or behind it, then a capital and the final mark. `^` marks a frame that nothing may precede.

Slots: {A} the subject, {As} its possessive, {own} her or his, {B} and {Bs} the other agent; {N} `3 red pens`, {M}
`3 more red pens` or `twice as many red pens`, {were} the verb that agrees with it; {ns} `red pens`; {P} the place or
purpose, {did} and {do} the verb, {on} and {spot} a place of each agent's own, {mate} what they are to each other.
"""

from __future__ import annotations

__all__ = ["ASIDES", "CONNECTIVES", "FRAMES", "POINTS"]


def _split(text: str) -> list[str]:
    return text.split("|")


_WONDERING = (
    "can you work out", "can you tell", "can you say", "could you work out", "can you calculate", "could you say",
    "can you tell from this", "can you work out from this", "can you tell me", "could you tell me",
    "could you calculate",
)  # fmt: skip


def _wondering(clause: str, ways: tuple[str, ...] = _WONDERING[:5]) -> tuple[str, ...]:
    """The ways to wonder how many things `clause` speaks of."""
    return tuple(f"^{way} how many {{ns}} {clause}" for way in ways)


_COMPARED = {
    "had": (
        "{A} had {M} than {B}",
        "{A} had {M} than {B} did",
        "{A} had {M} than {B} had",
        "{A} had {M} than {own} {mate} {B}",
        "{A} had {M} than {own} {mate} {B} did",
        "{A} had {M} than {own} {mate} {B} had",
        "{A} had exactly {M} than {B}",
        "{A} had exactly {M} than {B} did",
        "{A} had exactly {M} than {B} had",
        "{A} had exactly {M} than {own} {mate} {B}",
    ),
    "did": ("{A} {did} {M} than {B}", "{A} {did} {M} than {B} did"),
    "spot": ("there {were} {M} {on} {As} {spot} than {on} {Bs}", "{on} {As} {spot} there {were} {M} than {on} {Bs}"),
}

FRAMES: dict[str, tuple[str, ...]] = {
    "open": (),
    "start did": ("{A} {did} {N} {P}", "{A} {did} {N}"),
    "start spot": (
        "there {were} {N} {on} {As} {spot}",
        "{A} had {N} {on} {own} {spot}",
        "{on} {As} {spot} there {were} {N}",
    ),
    "other": (),
    "additive level": ("{A} had {M} than {B}", "{A} had {M} than {own} {mate} {B}"),
    **{f"additive {voice}": frames for voice, frames in _COMPARED.items()},
    **{
        f"multiplicative {voice}": tuple(frame.replace(" than ", " as ") for frame in frames if "compar" not in frame)
        for voice, frames in _COMPARED.items()
    },
    "moving": (
        "{S} gave {N} to {R}",
        "{S} gave {R} {N}",
        "{S} handed {N} to {R}",
        "{S} handed {R} {N}",
        "{S} handed {N} over to {R}",
        "{S} passed {N} on to {R}",
        "{S} sold {N} to {R}",
        "{S} sold {R} {N}",
        "{S} let {R} have {N}",
        "{R} got {N} from {S}",
        "{R} got {N} from {own} {mate} {S}",
        "{S} gave {N} to {own} {mate} {R}",
        "{S} gave {own} {mate} {R} {N}",
        "{S} handed {N} to {own} {mate} {R}",
        "{S} sold {N} to {own} {mate} {R}",
        "{R} was given {N} by {own} {mate} {S}",
        "{R} received {N} from {S}",
        "{R} bought {N} from {S}",
        "{R} received {N} from {own} {mate} {S}",
        "{R} bought {N} from {own} {mate} {S}",
        "{R} was handed {N} by {own} {mate} {S}",
        "{S} handed {own} {mate} {R} {N}",
        "{S} passed {N} on to {own} {mate} {R}",
        "{S} sold {own} {mate} {R} {N}",
        "{S} let {own} {mate} {R} have {N}",
        "{S} let {R} take {N}",
        "{S} let {own} {mate} {R} take {N}",
        "{S} handed {N} over to {own} {mate} {R}",
    ),
    "gain": ("{R} bought {N}",),
    "lose": ("{S} sold {N}",),
    "count": (
        "how many {ns} did {A} have",
        "^so how many {ns} did {A} have",
        "how many {ns} must {A} have had",
        "^so how many {ns} must {A} have had",
        *_wondering("{A} had", _WONDERING),
    ),
    "count did": ("how many {ns} did {A} {do}", "^so how many {ns} did {A} {do}", *_wondering("{A} {did}", _WONDERING)),
    "count spot": (
        "how many {ns} were {on} {As} {spot}",
        "how many {ns} were there {on} {As} {spot}",
        "how many {ns} did {A} have {on} {own} {spot}",
        "^so how many {ns} were {on} {As} {spot}",
        "^can you work out how many {ns} were {on} {As} {spot}",
        "^can you tell how many {ns} there were {on} {As} {spot}",
    ),
    "changed": (
        "how many {ns} did {A} then have",
        "how many {ns} did {A} have then",
        "how many {ns} did {A} have in the end",
        "^in the end, how many {ns} did {A} have",
        "how many {ns} did {A} have after that",
        "^after that, how many {ns} did {A} have",
        "how many {ns} did {A} end up with",
        "^so how many {ns} did {A} end up with",
        "^so how many {ns} did {A} have in the end",
        *_wondering("{A} had in the end", _WONDERING),
        *_wondering("{A} had after that", tuple(way for way in _WONDERING if "from" not in way)),
        *_wondering("{A} ended up with", _WONDERING),
    ),
    "reduced": (
        "how many {ns} did {A} have left",
        "^in the end, how many {ns} did {A} have left",
        "^after that, how many {ns} did {A} have left",
        "how many {ns} did that leave {A} with",
        "^so how many {ns} did that leave {A} with",
        "how many {ns} was {A} left with",
        "^so how many {ns} was {A} left with",
        "^so how many {ns} did {A} have left",
        "how many {ns} did {A} have left in the end",
        *_wondering("{A} had left", _WONDERING),
    ),
    "closed": ("how many {ns} did {A} have", "^so how many {ns} did {A} have", *_wondering("{A} had", _WONDERING)),
    "closed reduced": (
        "how many {ns} did {A} have left",
        "^so how many {ns} did {A} have left",
        *_wondering("{A} had left", _WONDERING),
    ),
    "then": (
        "how many {ns} did {A} have then",
        "^so how many {ns} did {A} have then",
        "how many {ns} did {A} have at that point",
        "^so how many {ns} did {A} have at that point",
        *_wondering("{A} had then", _WONDERING),
        *_wondering("{A} had at that point", _WONDERING),
    ),
    "total": (
        "how many {ns} did {A} and {B} have together",
        "how many {ns} did {A} and {B} have in total",
        "how many {ns} did {A} and {B} have between them",
        "how many {ns} did {A} and {B} have in all",
        "^between them, how many {ns} did {A} and {B} have",
        "^can you work out how many {ns} {A} and {B} had together",
        "^so how many {ns} did {A} and {B} have together",
    ),
    "difference": (
        "how many more {ns} did {A} have than {B}",
        "^can you work out how many more {ns} {A} had than {B}",
        "^so how many more {ns} did {A} have than {B}",
        "^can you tell how many more {ns} {A} had than {B}",
    ),
}
"""Kind of sentence -> its frames; "open" and "ask" are all theirs, and they add to "gain" and "lose"."""

POINTS = ("at that point", "at this point", "after that", "at that stage", "just after that", "right after that")
"""What may precede a statement of how things are after something has happened."""

CONNECTIVES = (
    "then ",
    "later, ",
    "a little later, ",
    "soon afterwards, ",
    "a while later, ",
    "shortly afterwards, ",
    "some time later, ",
    "next, ",
)
"""What may precede something that happens after something else."""

_BEFORE = (
    "meanwhile|apparently|curiously|surprisingly|that day|as usual|oddly enough|as ever|by chance|in total|"
    "strangely enough|surprisingly enough|as it happened|at that time|at that moment|to nobody's surprise|"
    "to everybody's surprise|by pure chance|as everybody knew|as was noticed|as people noticed|as somebody noticed|"
    "on that occasion|as things stood|at that stage|as everybody noticed|as it turned out|as all people knew|"
    "according to the list|as a list showed|as anybody could see|as a friend noticed|as everybody could see|"
    "according to a list|as somebody pointed out|as a count showed|as people there knew|"
    "according to everybody there|as luck would have it|as a quick count showed|as everybody there could see|"
    "as far as anybody knew|as a closer look showed|as the people there knew|as a second count showed|"
    "according to a quick count|as you could easily see|as almost everybody there knew|"
    "according to somebody who counted|when somebody took a look|as far as people could tell|"
    "as most of the people knew|according to what people there said|as far as anybody could see|"
    "as everybody was surprised to see|as a look at everything showed|as a glance at the list showed|"
    "as far as anybody there could tell|as everybody could see at first glance|"
    "according to what people there had said|as everybody there was surprised to see"
)
_BEHIND = (
    "then|in total|just then|that day|at that time|at the time|at that point|at that moment|on that occasion|"
    "at that stage|at that very moment|as far as people knew|when somebody took a look|according to the list|"
    "according to somebody there|as far as anybody knew|according to a quick count|when people took a look|"
    "as everybody there could see|according to somebody who counted|as far as people could tell|"
    "when people took a closer look|when somebody took a closer look|as far as anybody could see|"
    "according to what people there said|by comparison|according to everybody|at that particular moment|"
    "on that particular occasion|at that particular point|according to the inventory|according to everybody there|"
    "by somebody's count|according to everybody who counted|according to the latest count|"
    "according to somebody who had counted|as practically everybody there noticed|as practically everybody noticed|"
    "according to a careful count|as far as anybody there could tell|according to what people there had said"
)
ASIDES = (*(f"{aside}, " for aside in _split(_BEFORE)), *(f" {aside}" for aside in _split(_BEHIND)))
"""What may precede or follow a comparison without saying anything of it, so that it can have any length."""
