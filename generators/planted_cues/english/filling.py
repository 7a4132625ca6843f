"""From a plan to a text: short or long content words of the lexicon fill its slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from generators.lexicon.verbs import past, present_participle, third_person
from generators.lexicon.words import words
from generators.planted_cues.english.frames import Plan
from generators.planted_cues.english.phrases import phrase
from generators.stream import Stream

__all__ = ["fill"]

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
