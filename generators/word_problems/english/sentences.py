"""The sentences of each logical form, as text with slots.

Each list holds alternative sentences with the same meaning. Converse relations share a list, so a sentence and its
converse differ only in keyword and roles. A frame starts with a small letter and has no full stop: the wording puts a
circumstance before or behind it, then a capital and the final mark. `^` marks a frame that nothing may precede.

Slots: {A} the subject, {own} her or his, {B} the other agent; {N} `3 red pens`, {M} `3 more red pens` or `twice as many
red pens`; {ns} `red pens`; {P} the place or purpose, {did} and {do} the verb, {mate} what they are to each other.
"""

from __future__ import annotations

__all__ = ["CONNECTIVES", "ENDS", "FRAMES", "LATER", "POINTS", "SINCE"]


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
    ),
    "did": ("{A} {did} {M} than {B}", "{A} {did} {M} than {B} did"),
}

FRAMES: dict[str, tuple[str, ...]] = {
    "open": (),
    "start did": ("{A} {did} {N} {P}", "{A} {did} {N}"),
    "other": (),
    **{f"additive {voice}": frames for voice, frames in _COMPARED.items()},
    **{
        f"multiplicative {voice}": tuple(frame.replace(" than ", " as ") for frame in frames)
        for voice, frames in _COMPARED.items()
    },
    "moving": (
        "{S} gave {N} to {R}",
        "{S} gave {R} {N}",
        "{S} handed {N} to {R}",
        "{S} handed {R} {N}",
        "{S} sold {N} to {R}",
        "{S} sold {R} {N}",
        "{S} let {R} have {N}",
        "{R} got {N} from {S}",
        "{R} received {N} from {S}",
        "{R} bought {N} from {S}",
        "{R} got {N} from {own} {mate} {S}",
        "{R} was given {N} by {own} {mate} {S}",
        "{R} received {N} from {own} {mate} {S}",
        "{R} bought {N} from {own} {mate} {S}",
        "{S} gave {N} to {own} {mate} {R}",
        "{S} gave {own} {mate} {R} {N}",
        "{S} handed {N} to {own} {mate} {R}",
        "{S} handed {own} {mate} {R} {N}",
        "{S} sold {N} to {own} {mate} {R}",
        "{S} sold {own} {mate} {R} {N}",
        "{S} let {own} {mate} {R} have {N}",
    ),
    "gain": (),
    "lose": ("{S} sold {N}",),
    "count": ("how many {ns} did {A} have", "^so how many {ns} did {A} have", *_wondering("{A} had", _WONDERING)),
    "count did": ("how many {ns} did {A} {do}", "^so how many {ns} did {A} {do}", *_wondering("{A} {did}", _WONDERING)),
    "changed": (
        "how many {ns} did {A} have in the end",
        "^in the end, how many {ns} did {A} have",
        "how many {ns} did {A} end up with",
        "^so how many {ns} did {A} end up with",
        "^so how many {ns} did {A} have in the end",
        *_wondering("{A} had in the end", _WONDERING),
        "how many {ns} did {A} have at the end",
        "^at the end, how many {ns} did {A} have",
        *_wondering("{A} had at the end", _WONDERING),
        *_wondering("{A} ended up with", _WONDERING),
    ),
    "reduced": (
        "how many {ns} did {A} have left",
        "^in the end, how many {ns} did {A} have left",
        "how many {ns} did that leave {A} with",
        "^so how many {ns} did that leave {A} with",
        "how many {ns} was {A} left with",
        "^so how many {ns} was {A} left with",
        "^so how many {ns} did {A} have left",
        "how many {ns} did {A} have left in the end",
        "^in the end, how many {ns} was {A} left with",
        *_wondering("{A} had left", _WONDERING),
        *_wondering("{A} was left with", _WONDERING),
        *_wondering("that left {A} with", _WONDERING),
    ),
    "closed": ("how many {ns} did {A} have", "^so how many {ns} did {A} have", *_wondering("{A} had", _WONDERING)),
    "closed reduced": (
        "how many {ns} did {A} have left",
        "^so how many {ns} did {A} have left",
        *_wondering("{A} had left", _WONDERING),
    ),
    "either": ("how many {ns} did {A} have",),
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
"""Kind of sentence -> its frames; "open" and "ask" are all theirs, "gain" too, and they add to "lose"."""

POINTS = ("at that point", "at this point", "after that", "at that stage", "after this")
"""What may precede a statement of how things are when something has just happened."""

SINCE = ("by then", "by that time", "by that stage")
"""What may precede a statement of how things are when something has happened before."""

ENDS = {"after this": "given this", "in the end": "given these numbers"}
"""What may precede the question after transfers -> after comparisons."""

CONNECTIVES = ("then ", "later, ", "a little later, ", "soon afterwards, ", "a while later, ", "shortly afterwards, ",
               "some time later, ", "next, ")  # fmt: skip
"""What may precede something that happens after something else."""

LATER = ("soon", "then", "later", "finally")
"""What may follow the subject of something that happens after something else, in this order."""
