"""Templates that people wrote, with slots: German, Chinese and Japanese ones, and English scenes in four wordings each.

Their words are in `languages.toml`; Chinese has texts without templates, too, which hold a cue.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from hansproof.generators.lexicon.words import words
from hansproof.generators.stream import Stream

__all__ = ["CHINESE_CUES", "LANGUAGES", "SCENES", "Forms", "Language", "chinese_text", "paraphrased", "read_words"]

# A slot is a variable and the number of a form: `{X2}` is the thing X in its third form. One variable has one filling
# per item, and two variables of a kind never have the same.

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


def read_words(name: str) -> dict[str, Any]:
    """The lists of words and parts in `name` (`english.toml`) of this folder; their order is part of the bytes."""
    return tomllib.loads(files("hansproof.generators.planted_cues").joinpath(name).read_text("utf-8"))


_WORDS = read_words("languages.toml")
_ARTICLES = {"m": ("der", "den", "dem", "einen"), "f": ("die", "die", "der", "eine"), "n": ("das", "das", "dem", "ein")}


def _only(listed: str) -> tuple[Forms, ...]:
    """Words with a single form, from a text in which blanks separate them and `_` is a blank."""
    return tuple((word.replace("_", " "),) for word in listed.split())


def _german(kind: str) -> tuple[Forms, ...]:
    """Nominative, accusative, dative, and accusative with the indefinite article; no noun here changes its ending."""
    return tuple(
        tuple(f"{article} {noun}" for article in articles)
        for gender, articles in _ARTICLES.items()
        for noun in _WORDS["german"].get(f"{kind}_{gender}", "").split()
    )


def _chinese(things: str) -> tuple[Forms, ...]:
    """`把雨伞` -> 雨伞, 一把雨伞, 那把雨伞: every measure word is one character."""
    return tuple((thing[1:], f"一{thing}", f"那{thing}") for thing in things.split())


def _language(name: str, things: Sequence[Forms], roles: Sequence[Forms]) -> Language:
    own = _WORDS[name]
    people, places, times = (_only(own[kind]) for kind in ("people", "places", "times"))
    kinds = {"ABC": people, "OPQ": places, "RSTU": roles, "XY": things, "Z": times}
    fillings = {variable: kind for variables, kind in kinds.items() for variable in variables}
    return Language(own["openings"], own["middles"], own["questions"], fillings, own["space"])


LANGUAGES: Mapping[str, Language] = {
    "german": _language("german", _german("things"), _german("roles")),
    "chinese": _language("chinese", _chinese(_WORDS["chinese"]["things"]), _only(_WORDS["chinese"]["roles"])),
    "japanese": _language("japanese", _only(_WORDS["japanese"]["things"]), _only(_WORDS["japanese"]["roles"])),
}
"""By subset."""

SCENES: Sequence[Sequence[str]] = _WORDS["english"]["scenes"]
"""Four wordings and two questions each."""

_KINDS = {"A": ("men", "women"), "B": ("men", "women"), "X": ("things",), "R": ("roles",), "O": ("places",),
          "T": ("towns",)}  # fmt: skip


def paraphrased(number: int, stream: Stream) -> str:
    """An item of scene `number`, 0 to 29: one of its eight wordings, with words drawn from `stream`."""
    *wordings, first, second = SCENES[number]
    parts = (stream.child("wording").choice(wordings), stream.child("question").choice((first, second)))
    fillings = {
        variable: [(word,) for kind in kinds for size in ("short", "long") for word in words(kind, size)]
        for variable, kinds in _KINDS.items()
    }
    return " ".join(capitalised(part) for part in filled(parts, fillings, stream.child("words")))


CHINESE_CUES = {"yes": "总是", "no": "偶尔"}
"""Words of the subset `chinese-cue`: "always" and "now and then"."""


def chinese_text(cue: str, stream: Stream) -> str:
    """Two or three sentences and a question, assembled anew for every item, of which one holds the word `cue`."""
    own, language = _WORDS["chinese_cue"], LANGUAGES["chinese"]
    sentences = stream.child("sentences").integer(2, 3)
    place = stream.child("place").below(sentences)
    parts: list[str] = []
    closing: list[str] = []
    for i in range(sentences):
        draws = stream.child("sentence").child(i)
        if i == place:
            text = draws.choice(own["timeless"]) + draws.choice(own["subjects"]) + cue + draws.choice(own["habits"])
        else:
            text = draws.choice(own["openers"]) + draws.choice(own["subjects"]) + draws.choice(own["deeds"])
        if draws.coin():
            deeds = [deed for deed in own["deeds"] if deed not in text]
            text += draws.choice(own["links"]) + draws.choice(own["others"]) + draws.choice(deeds)
        # The question is about the people and things of the first sentence.
        asked = [stream.child("question").choice(language.questions)] if i == 0 else []
        sentence, *questions = filled([text, *asked], language.fillings, draws.child("words"))
        parts.append(f"{sentence}。")
        closing = questions or closing
    return "".join(parts + closing)
