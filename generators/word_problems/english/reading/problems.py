"""Read an English word problem back: logical forms from the text alone, by a small grammar of English.

Written without the sentences' templates, so that the two can disagree: `checking` compares what is read here with
what the metadata says. A sentence is taken by what it is about: a question mark, a comparing word, each / every / per,
a verb that hands something over, or a plain having. Only the vocabulary's lists of words are looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from generators.errors import InputError
from generators.word_problems.english.reading.parts import Lexicon, Part, fraction, number, parts, sentences
from generators.word_problems.english.reading.words import (
    AGAINST,
    ASKING,
    BE,
    EACH,
    HAVE,
    IN,
    KNOWN,
    LEADS,
    MORE,
    MULTIPLES,
    TOGETHER,
    VERBS,
)
from generators.word_problems.english.vocabulary import PLURALS, PRONOUNS, VOCABULARY
from generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Rate, Thing, Transfer

__all__ = ["read_problem"]


class _Reader:
    """One text: who was last the subject, and of what was last spoken."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.subjects: list[str] = []
        self.thing: Thing | None = None
        self.things: list[Thing] = []

    def form(self, sentence: str) -> Form | Question:
        parsed = parts(sentence, self.lexicon)
        words = {part.value for part in parsed if part.kind == "word"}
        unknown = [word for word in sorted(words - KNOWN) if not (number(word) or fraction(word))]
        if unknown:
            raise InputError(f"cannot read {sentence!r}: no meaning is known for {', '.join(unknown)}")
        agents = self._agents(parsed)
        things = [self._full(thing) for thing in self._things(parsed)]
        things = list(dict.fromkeys(things))
        if "than" in words or words & AGAINST:
            agents = self._ordered(parsed, self._agents(parsed, 2))
        if sentence.endswith("?"):
            return _question(words, agents, (things or self._again(sentence))[0], sentence)
        if (told := _relation(parsed, words)) is not None:
            form: Form = _comparison(told, parsed, agents, self._one(things, sentence), sentence)
        elif words & EACH:
            form = _rate(parsed, agents, things, sentence)
        elif words & VERBS:
            form = _transfer(parsed, self._roles(parsed), self._one(things, sentence), sentence)
        elif words & HAVE and len(agents) == 1 and len(things) == 1:
            form = Container(agents[0], _number(parsed, sentence), things[0])
        else:
            raise InputError(f"cannot read {sentence!r}")
        if agents:
            self.subjects.append(agents[0])
        self.thing = form.thing
        self.things += [form.thing, *([form.per] if isinstance(form, Rate) else [])]
        return form

    def _full(self, thing: Thing) -> Thing:
        """`flour` after "kilograms of flour" and `pens` after "red pens" are the same, told shorter."""
        if thing.attribute or thing.unit:
            return thing
        return next((earlier for earlier in self.things[::-1] if earlier.entity == thing.entity), thing)

    def _ordered(self, parsed: Sequence[Part], agents: list[str]) -> list[str]:
        """The subject first, then whom it is compared to: who follows "than" or "compared with"."""
        start = next(place for place, part in enumerate(parsed) if part.value in ("than", *AGAINST))
        after = self._agents(parsed[start:])
        other = next((name for name in after if name in agents), "")
        return [*(name for name in agents if name != other), other] if other else agents

    def _one(self, things: list[Thing], sentence: str) -> Thing:
        if len(things) > 1:
            raise InputError(f"{sentence!r} speaks of {len(things)} things at once")
        return (things or self._again(sentence))[0]

    def _again(self, sentence: str) -> list[Thing]:
        """What was last spoken of, where the sentence leaves it out."""
        if self.thing is None:
            raise InputError(f"{sentence!r} does not say of what")
        return [self.thing]

    def _agents(self, parsed: Sequence[Part], wanted: int = 1) -> list[str]:
        """Everybody who occurs, once each, in order; possessive pronouns count where fewer than wanted are named."""
        agents: list[str] = []
        for part in parsed:
            if part.kind == "name":
                agents.append(part.value)
            elif part.kind == "pronoun" and not part.possessive:
                agents += self._meant(part.value)
        if len(set(agents)) < wanted:
            owners = [
                self._meant(part.value) if part.kind == "pronoun" else [part.value]
                for part in parsed
                if part.kind in ("name", "pronoun")
            ]
            agents = [name for names in owners for name in names]
        return list(dict.fromkeys(agents))

    def _roles(self, parsed: Sequence[Part]) -> list[tuple[str, str]]:
        """(role, name) of everybody: subject before the verb, else the preposition that led there, else object."""
        roles: list[tuple[str, str, bool]] = []
        role = "subject"
        for part in parsed:
            if part.kind == "word" and part.value in VERBS:
                role = "object"
            elif part.kind == "word" and part.value in LEADS:
                role = LEADS[part.value]
            elif part.kind in ("name", "pronoun"):
                names = [part.value] if part.kind == "name" else self._meant(part.value)
                roles += [(role, name, part.possessive) for name in names]
        # "3 apples are added to Ann's collection": the owner counts where nobody else is there.
        owners = all(owner for _, _, owner in roles)
        return [(role, name) for role, name, owner in roles if owners or not owner]

    def _meant(self, gender: str) -> list[str]:
        fitting = [name for name in self.subjects if not gender or self.lexicon.names[name] in (gender, "")]
        return fitting[-1:]

    def _things(self, parsed: Sequence[Part]) -> list[Thing]:
        """Every noun phrase once, in order: attribute, noun, unit of noun."""
        things: list[Thing] = []
        attribute = unit = ""
        for part in parsed:
            if part.kind == "attribute":
                attribute = part.value
            elif part.kind == "unit":
                unit = part.value
            elif part.kind == "thing":
                things.append(Thing(part.value, attribute, unit))
                attribute = unit = ""
        if unit and len(things) == 1 and not things[0].unit:
            things = [things[0]._replace(unit=unit)]
        elif unit and not things:
            things = [thing for thing in self.things[::-1] if thing.unit == unit][:1]
        return list(dict.fromkeys(things))


def read_problem(text: str) -> Problem:
    """The forms and the question of a text. Raises InputError that names the sentence that cannot be read."""
    reader = _Reader(_lexicon())
    read = [reader.form(sentence) for sentence in sentences(text)]
    forms = tuple(form for form in read if not isinstance(form, Question))
    if len(forms) != len(read) - 1 or not isinstance(read[-1], Question):
        raise InputError(f"{text!r} does not end with its only question")
    return Problem(forms, read[-1])


def _number(parsed: Sequence[Part], sentence: str) -> int:
    digits = [part.value for part in parsed if part.kind == "number"]
    digits = digits or [number(part.value) for part in parsed if part.kind == "word" and number(part.value)]
    if len(digits) != 1:
        raise InputError(f"{sentence!r} has {len(digits)} numbers instead of one")
    return int(digits[0])


def _relation(parsed: Sequence[Part], words: set[str]) -> tuple[str, int] | None:
    """The relation and its number; 0 where the number stands in the sentence."""
    for part in parsed:
        if part.kind == "word" and (parts_ := fraction(part.value)):
            return "/", parts_
    for word, times in MULTIPLES.items():
        if word in words:
            return "*", times
    said = [sign for word, sign in MORE.items() if word in words]
    if "times" in words:
        return "/" if "-" in said else "*", 0
    if said and words & {"than", *AGAINST}:
        return said[0], 0
    return None


def _comparison(
    relation_told: tuple[str, int], parsed: Sequence[Part], agents: list[str], thing: Thing, sentence: str
) -> Comparison:
    if len(agents) != 2:
        raise InputError(f"{sentence!r} compares {len(agents)} instead of two")
    relation, quantity = relation_told
    if quantity and any(part.kind == "number" for part in parsed):
        raise InputError(f"{sentence!r} has two numbers")
    return Comparison(agents[0], relation, agents[1], quantity or _number(parsed, sentence), thing)


def _question(words: set[str], agents: list[str], thing: Thing, sentence: str) -> Question:
    if not words & ASKING:
        raise InputError(f"{sentence!r} does not ask how many")
    if len(agents) == 1 and not words & MORE.keys():
        return Question("count", tuple(agents), thing)
    if len(agents) == 2 and words & (MORE.keys() | {"difference", "exceed"}):
        fewer = bool(words & {"fewer", "less", "smaller"})
        return Question("difference", tuple(agents[::-1] if fewer else agents), thing)
    if len(agents) == 2 and words & TOGETHER:
        return Question("total", tuple(agents), thing)
    raise InputError(f"{sentence!r} asks for nothing that is understood")


def _rate(parsed: Sequence[Part], agents: list[str], things: list[Thing], sentence: str) -> Rate:
    """The container follows each / every / per; where nothing does ("boxes of 4 each"), it is what has no number."""
    place = next(place for place, part in enumerate(parsed) if part.value in EACH)
    after = [part.value for part in parsed[place:] if part.kind == "thing"]
    if after:
        per = [thing for thing in things if thing.entity == after[0]]
    else:
        counted = next((place for place, part in enumerate(parsed) if part.kind == "number"), 0)
        told = [part.value for part in parsed[counted:] if part.kind == "thing"]
        per = [thing for thing in things if thing.entity not in told]
    contents = [thing for thing in things if thing not in per]
    if len(per) != 1 or len(contents) != 1 or len(agents) != 1:
        raise InputError(f"{sentence!r} does not say who has how many of what in each of what")
    return Rate(agents[0], _number(parsed, sentence), contents[0], per[0])


def _transfer(parsed: Sequence[Part], roles: Sequence[tuple[str, str]], thing: Thing, sentence: str) -> Transfer:
    """Who hands over is said by the verb's direction, the passive and the prepositions to, from and by."""
    verb = next(part.value for part in parsed if part.kind == "word" and part.value in VERBS)
    before = [name for role, name in roles if role == "subject"]
    to = [name for role, name in roles if role in ("to", "object")]
    by = [name for role, name in roles if role in ("from", "by")]
    passive = any(part.value in BE for part in parsed) and verb not in IN
    if passive or verb in IN:
        receiver, sender = [*before, *to], by
    else:
        receiver, sender = [*to], [*before, *by]
    sides = [next(iter(dict.fromkeys(names)), "") for names in (receiver, sender)]
    if not any(sides) or sides[0] == sides[1]:
        raise InputError(f"{sentence!r} does not say who gives or gets")
    return Transfer(sides[0], sides[1], _number(parsed, sentence), thing)


@cache
def _lexicon() -> Lexicon:
    """The vocabulary, turned round: from what is written to the key."""
    phrases: dict[str, dict[str, str]] = {}
    kinds = {
        "thing": [*VOCABULARY.countable, *(key for pair in VOCABULARY.packed for key in pair)],
        "unit": [unit for _, unit in VOCABULARY.measured],
        "attribute": list(VOCABULARY.attributes),
    }
    kinds["thing"] += [entity for entity, _ in VOCABULARY.measured]
    for kind, keys in kinds.items():
        for key in keys:
            for written in (key, PLURALS.get(key, key) if kind != "attribute" else key):
                phrases.setdefault(written, {})[kind] = key
    genders = {name: "f" if subject == "she" else "m" for name, (subject, _) in PRONOUNS.items()}
    return Lexicon(genders, phrases, max(len(written.split()) for written in phrases))
