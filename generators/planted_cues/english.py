"""The English texts: the parts of sentences, plans made of them without content, and what fills their slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hansproof.generators.lexicon.words import past, present_participle, third_person, words
from hansproof.generators.planted_cues.templates import read_words
from hansproof.generators.stream import Stream

__all__ = ["CALM", "LIVELY", "Plan", "draw_plan", "fill", "with_empty_slots"]

_PARTS = read_words("english.toml")
LIVELY: Sequence[str] = _PARTS["lively"]
"""Fifty adverbs that point to yes in the subsets `synonyms-*`."""
CALM: Sequence[str] = _PARTS["calm"]
"""Fifty that point to no."""

# A plan is drawn from a stream that knows nothing of the label; `fill` puts words of the lexicon into its slots.


@dataclass(frozen=True)
class Plan:
    """The wording of one item: sentences with slots `{kind:label}`; equal labels are equal words."""

    sentences: tuple[str, ...]
    """Two to four, each with its full stop: `{women:A} {past:1} the {thing:2}.`"""
    question: str
    """The closing question, which the sentences never decide."""


_PRONOUNS = {"women": {"she": "she", "him": "her", "her": "her"}, "men": {"she": "he", "him": "him", "her": "his"}}
_ONCE = ("<B>", "neither", "more than")  # else "Fran was with Fran", "neither of them was neither ..."
_PART_MARK = re.compile(r"<(\w+)(?::(\w+))?>")


def draw_plan(stream: Stream, sentences: int, extra: str = "") -> Plan:
    """A plan with this many sentences and a question.

    `extra` is "" or what one of the sentences must contain: "habit" (slot `{cue}`) or "pair" (slots `{first}` and
    `{second}`). The wording of a sentence does not depend on how many there are.
    """
    special = stream.child("extra").below(sentences) if extra else -1
    texts = []
    for i in range(sentences):
        draws = stream.child("sentence").child(i)
        if i == special and extra == "habit":
            texts.append(_habit(draws, first=i == 0))
        else:
            texts.append(_sentence(draws, first=i == 0, pair=i == special))
    question = stream.child("question").choice(_PARTS["questions"]) + "?"
    return _numbered(texts, question, female=stream.child("people").coin())


def _sentence(stream: Stream, first: bool, pair: bool) -> str:
    subjects = _PARTS["naming"] if first else _PARTS["following"]
    text = _opener(stream) + _clause(stream, subjects, adjuncts=stream.below(3))
    if pair:
        text += " " + stream.choice(_PARTS["pairs"])
    if stream.chance(1, 4):
        joiner = stream.choice(_PARTS["joiners"])
        text += f" {joiner} " + _clause(stream, _PARTS["following"], adjuncts=stream.below(2))
    return text + "."


def _opener(stream: Stream) -> str:
    return stream.choice(_PARTS["openers"]) + ", " if stream.chance(9, 20) else ""


def _clause(stream: Stream, subjects: Sequence[str], adjuncts: int) -> str:
    subject = stream.choice(subjects)
    chosen = [subject]
    if stream.chance(1, 5):
        chosen.append(_new(stream, _PARTS["states"], chosen))
    elif stream.chance(1, 5) and not subject.startswith(("no", "neither")):
        chosen += [stream.choice(_PARTS["denials"]), _new(stream, _PARTS["objects"], chosen)]
    else:
        chosen += [stream.choice(_PARTS["verbs"]), _new(stream, _PARTS["objects"] + _PARTS["amounts"], chosen)]
    text = " ".join(chosen + _adjuncts(stream, adjuncts, chosen))
    plural = subject.startswith("+")
    for singular, several in (("was", "were"), ("has", "have")):
        text = text.replace(f"<{singular}>", several if plural else singular)
    return text.removeprefix("+")


def _adjuncts(stream: Stream, count: int, before: Sequence[str]) -> list[str]:
    kinds = stream.sample((_PARTS["places"], _PARTS["times"], _PARTS["company"]), count)
    return [_new(stream, kind, before) for kind in kinds]


def _new(stream: Stream, choices: Sequence[str], before: Sequence[str]) -> str:
    """A part that repeats nothing of _ONCE within a clause."""
    part = stream.choice(choices)
    while any(mark in part and any(mark in earlier for earlier in before) for mark in _ONCE):
        part = stream.choice(choices)
    return part


def _habit(stream: Stream, first: bool) -> str:
    subject = "<A>" if first else stream.choice(_PARTS["habits"])
    chosen = [subject, "{cue} <third>", stream.choice(_PARTS["objects"] + _PARTS["amounts"])]
    return _opener(stream) + " ".join(chosen + _adjuncts(stream, stream.below(3), chosen)) + "."


def _numbered(sentences: list[str], question: str, female: bool) -> Plan:
    """Turn every mark into a slot of its own, a slot shared by the whole item, or a pronoun."""
    people = {"A": "women" if female else "men", "B": "men" if female else "women"}
    count = 0

    def slot(mark: re.Match[str]) -> str:
        nonlocal count
        name, case = mark[1], mark[2]
        if name in people:
            return _PRONOUNS[people[name]][case] if case else f"{{{people[name]}:{name}}}"
        if name == "X":
            return "{thing:X}"
        count += 1
        return f"{{{name}:{count}}}"

    texts = [_PART_MARK.sub(slot, text).replace(",,", ",").replace(",.", ".") for text in sentences]
    return Plan(tuple(texts), _PART_MARK.sub(slot, question))


_NOUNS = ("thing", "role", "place", "event")
_SLOT_MARK = re.compile(r"<(\w+)>")


def phrase(kind: str, stream: Stream, word: Callable[[str, Stream], str]) -> str:
    """A filling of one to five words for a slot of this kind, or, for a slot `aside`, of none to five.

    Each length is equally likely. Names, towns, verbs and adjectives stay single words. `word` draws an unused word
    of a kind.
    """
    if kind == "aside":
        length = stream.child("length").below(len(_PARTS["asides"]) + 1)
        return " " + stream.child("aside").choice(_PARTS["asides"][length - 1]) if length else ""
    if kind not in _NOUNS:
        return word(kind, stream)
    patterns = stream.child("length").choice(_PARTS["patterns"])
    pattern = stream.child("pattern").choice(patterns).replace("<>", f"<{kind}>")
    pieces = _SLOT_MARK.split(pattern)  # literal, kind, literal, kind, ... literal
    return "".join(word(piece, stream.child(i)) if i % 2 else piece for i, piece in enumerate(pieces))


def with_empty_slots(plan: Plan) -> Plan:
    """The plan with a slot at the end of each sentence that may stay empty."""
    sentences = tuple(f"{text[:-1]}{{aside:aside{i}}}." for i, text in enumerate(plan.sentences))
    return Plan(sentences, plan.question)


_SLOT = re.compile(r"\{(\w+):(\w+)\}")
_VERB_FORMS: dict[str, Callable[[str], str]] = {
    "base": str,
    "past": past,
    "ing": present_participle,
    "third": third_person,
}
_LISTS = {"men": "men", "women": "women"} | {
    kind: f"{kind}s" for kind in ("adjective", "event", "place", "role", "thing", "town")
}


def fill(
    plan: Plan, stream: Stream, long_words: tuple[int, int], extras: Mapping[str, str], long_slots: bool = False
) -> str:
    """The text of `plan`, its sentences separated by a space.

    Each content word is long with probability `long_words` (numerator, denominator). No word fills two slots: words
    repeat only where the plan repeats them. `extras` fills `{cue}`, `{first}` and `{second}`. With `long_slots` a slot
    for a noun takes one to five words.
    """
    chosen: dict[str, str] = {}
    used: set[str] = set()

    def unused(kind: str, draws: Stream) -> str:
        word = _unused(kind, draws, long_words, used)
        used.add(word)
        return word

    def filling(slot: re.Match[str]) -> str:
        kind, label = slot[1], slot[2]
        if label not in chosen:
            draws = stream.child(label)
            chosen[label] = phrase(kind, draws, unused) if long_slots else unused(kind, draws)
        return _VERB_FORMS.get(kind, str)(chosen[label])

    texts = []
    for sentence in (*plan.sentences, plan.question):
        text = sentence
        for name, value in extras.items():
            text = text.replace(f"{{{name}}}", value)
        text = re.sub(r"\ba (?=[aeiou])", "an ", _SLOT.sub(filling, text))
        texts.append(text[0].upper() + text[1:])
    return " ".join(texts)


def _unused(kind: str, stream: Stream, long_words: tuple[int, int], used: set[str]) -> str:
    pool = words(_LISTS.get(kind, "verbs"), "long" if stream.chance(*long_words) else "short")
    word = stream.choice(pool)
    while word in used:
        word = stream.choice(pool)
    return word
