"""Reads a word problem back into logical forms, from the text alone, by a small grammar of English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain

from hansproof.generators.errors import InputError
from hansproof.generators.word_problems.english.sentence_parts import (
    WORD,
    Lexicon,
    Phrase,
    fraction,
    number,
    parts,
    sentences,
)
from hansproof.generators.word_problems.english.vocabulary import PLURALS, PRONOUNS, SETTINGS, VOCABULARY
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Form,
    Problem,
    Question,
    Remark,
    Thing,
    Transfer,
)

__all__ = ["read_problem"]

# The words come from English, not from the templates, and are more than these need. A word outside these tables and the
# vocabulary makes a sentence unreadable, so "does not have" is never read as having.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OUT = _words(
    "give gives gave hand hands handed pass passes passed sell sells sold lend lends lent send sends sent mail mails"
    " donate donates donated lose loses lost throw throws threw use uses used spend spends spent drop drops dropped"
    " break breaks broke eat eats ate present presents presented transfers transfer transferred slips slip slipped"
    " discards discarded trades traded parts parted ships shipped delivers delivered leaves left offers offered let"
    " lets bring brings brought plant planted put puts return returned burn burnt spill spilt show showed lay laid"
    " wash washed"
)

IN = _words(
    "get gets got receive receives received buy buys bought take takes took borrow borrows borrowed find finds found"
    " win wins won earn earns earned accept accepts accepted obtain obtains obtained gain gains gained collect"
    " collects collected gathers gathered gather acquires acquired inherits inherited picks picked pick adds added"
    " purchases purchased bake baked make made fetch fetched order ordered dig dug cut pull pulled carry carried sort"
    " sorted raise raised print printed saw sawed keep kept pack packed prepare prepared wrap wrapped count counted"
    " shelve shelved label labelled catalogue catalogued unpack unpacked look looked own owned load loaded store"
    " stored unload unloaded display displayed photograph photographed measure measured put dry dried polish polished"
    " mend mended deliver price priced stack stacked water watered"
)
VERBS = OUT | IN | _words("given broken eaten thrown spent stolen gone taken bought found")
LEADS = {"to": "to", "from": "from", "by": "by", "for": "to"}
BE = _words("is are was were be been")
HAVE = _words(
    "have has had starts begins own owns owned possess possesses holds hold keeps keep held is are was were sat drove"
    " came arrived started began set took prepared opened"
)
COUNTING = _words("many much more fewer less greater smaller number")
AGAINST = frozenset(("compared", "comparison"))
MORE = {"more": "+", "greater": "+", "fewer": "-", "less": "-", "smaller": "-"}
MULTIPLES = {"twice": 2, "double": 2, "thrice": 3, "triple": 3}
TOGETHER = _words("together altogether total all combined both sum between")
ASKING = _words("how what many much number")
_PLAIN = _words(
    "stage town door mind a an the of in on at as and or that it this than then do does did can could you we know"
    " tell me right find out work turn turns when comes come if with without now end first"
    " beginning begin start to begins up"
    " also just exactly only possession collection owner number there here one everyone times half each other same"
    " them us who whom which favour thank-you birthday thought promised mistake bet short notice kindness celebrate"
    " luck long chat smile asking why agreed help settle good return surprise usual expected oddly enough surprised"
    " nobody often own given total meanwhile besides apart addition well too hand hands soon afterwards later little"
    " after some time next happened turned ended ending filling quick check showed people noticed clear friend"
    " remarked closer look knew somebody point say case so going leave once done still full filled fill need held"
    " contained counted went had fell using contain contains hold holds pack packs packed put puts place places placed"
    " sort sorts sorted store stores stored divide divides divided split splits among between into over away back for"
    " gift present raffle market shop neighbour neighbor charity someone altogether initially currently amount moment"
    " must besides time as relative charity calculate desk lesson belonged able from this part fact wedding other"
    " according while shortly some told count second could luck would by these numbers finally"
)
KNOWN = OUT | IN | VERBS | BE | HAVE | AGAINST | TOGETHER | ASKING | _PLAIN | {*LEADS, *MORE, *MULTIPLES}
"""Every word of the grammar, apart from number words and fractions."""

# Written without the templates, so the two can disagree. The kind of a sentence follows from its first match: where
# somebody lived, a question mark, a comparing word, a verb of transfer, or a verb of having.

_REMARK = re.compile(r" (?:in|at)(?: (\d{1,3}))? [A-Z][a-z]+ (?:Row|Lane|Road|Street|Avenue|Terrace|Crescent)\.$")
"""A sentence that counts nothing: it ends in a street; its number, if it has one, is that of a house."""
_ENDING = re.compile(r' If the text does not say enough to know that, answer "unknown"\.$')


class _Reader:
    """The state of reading one text: the subjects and the things so far."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.subjects: list[str] = []
        self.thing: Thing | None = None
        self.things: list[Thing] = []
        self.holders: set[tuple[str, Thing]] = set()

    def form(self, sentence: str) -> Form | Question:
        if remark := _REMARK.search(sentence):
            (agent,) = self._agents(parts(sentence[: remark.start()], self.lexicon))
            return Remark(agent, None if remark[1] is None else int(remark[1]))
        parsed = parts(sentence, self.lexicon)
        words = {part.value for part in parsed if part.kind == "word"}
        unknown_words = [
            word for word in sorted(words - KNOWN - self.lexicon.scenery) if not (number(word) or fraction(word))
        ]
        if unknown_words:
            raise InputError(f"unknown words: {', '.join(unknown_words)}")
        agents = self._agents(parsed)
        things = [self._full(thing) for thing in self._things(parsed)]
        things = list(dict.fromkeys(things))
        if "than" in words or words & AGAINST:
            agents = self._ordered(parsed, self._agents(parsed, 2))
        if sentence.endswith("?"):
            return _question(words, agents, (things or self._again())[0])
        if (relation := _relation(parsed, words)) is not None:
            form: Container | Comparison | Transfer = _comparison(relation, parsed, agents, self._only_thing(things))
        elif words & VERBS and (len(agents) != 1 or (agents[0], self._only_thing(things)) in self.holders):
            form = _transfer(parsed, self._roles(parsed), self._only_thing(things))
        elif words & VERBS and things:
            # Somebody of whom nothing is known yet does something with things: 12 apples are what she picked.
            form = Container(agents[0], _number(parsed), things[0])
        elif words & HAVE and len(agents) == 1 and len(things) == 1:
            form = Container(agents[0], _number(parsed), things[0])
        else:
            raise InputError("fits no logical form")
        if agents:
            self.subjects.append(agents[0])
        self.thing = form.thing
        self.holders |= {(agent, form.thing) for agent in self._agents(parsed, 2)}
        self.things.append(form.thing)
        return form

    def _full(self, thing: Thing) -> Thing:
        """The full thing behind a shorter name: `flour` after "kilograms of flour", `pens` after "red pens"."""
        if thing.attribute or thing.unit:
            return thing
        return next((earlier for earlier in self.things[::-1] if thing.entity in (earlier.entity, earlier.unit)), thing)

    def _ordered(self, parsed: Sequence[Phrase], agents: list[str]) -> list[str]:
        """The subject first, then the agent it is compared with, who follows "than" or "compared with"."""
        start = next(place for place, part in enumerate(parsed) if part.value in ("than", *AGAINST))
        after = self._agents(parsed[start:])
        other = next((name for name in after if name in agents), "")
        return [*(name for name in agents if name != other), other] if other else agents

    def _only_thing(self, things: list[Thing]) -> Thing:
        if len(things) > 1:
            raise InputError(f"mentions {len(things)} things, where one is expected")
        return (things or self._again())[0]

    def _again(self) -> list[Thing]:
        """The thing of the sentence before, for a sentence that leaves it out."""
        if self.thing is None:
            raise InputError("does not say what is counted")
        return [self.thing]

    def _agents(self, parsed: Sequence[Phrase], wanted: int = 1) -> list[str]:
        """The agents in order, once each; possessives count only if there are fewer than `wanted` agents otherwise."""
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

    def _roles(self, parsed: Sequence[Phrase]) -> list[tuple[str, str]]:
        """(role, name) of each agent: subject before the verb; after it, the last preposition, or else object."""
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
        # "3 apples are added to Ann's collection": an owner counts only if nobody else is named.
        owners = all(owner for _, _, owner in roles)
        return [(role, name) for role, name, owner in roles if owners or not owner]

    def _meant(self, gender: str) -> list[str]:
        fitting = [name for name in self.subjects if not gender or self.lexicon.names[name] in (gender, "")]
        return fitting[-1:]

    def _things(self, parsed: Sequence[Phrase]) -> list[Thing]:
        """The noun phrases in order, once each: a noun with its attribute or unit."""
        things: list[Thing] = []
        attribute = unit = ""
        counted = False  # a dress, the old barn: scenery, for nobody counts it
        for part in parsed:
            if part.kind == "attribute":
                attribute = part.value
            elif part.kind == "unit":
                unit = part.value
            elif part.kind == "thing":
                if counted:
                    things.append(Thing(part.value, attribute, unit))
                attribute = unit = ""
            if part.kind not in ("attribute", "unit"):
                attribute = ""
                counted = (
                    part.kind == "number"
                    or part.value in COUNTING
                    or part.value == "some"
                    or (counted and part.value == "of")
                )
        if unit and len(things) == 1 and not things[0].unit:
            things = [things[0]._replace(unit=unit)]
        elif unit and not things:
            things = [thing for thing in self.things[::-1] if thing.unit == unit][:1]
        return list(dict.fromkeys(things))


def read_problem(text: str) -> Problem:
    """The forms and the question of a text. Raises InputError, with the place, for an unreadable sentence."""
    reader = _Reader(_lexicon())
    read = []
    for place, sentence in enumerate(sentences(_ENDING.sub("", text)), 1):
        try:
            read.append(reader.form(sentence))
        except InputError as error:
            raise InputError(error.reason, f"sentence {place}, {sentence!r}") from error
    forms = tuple(form for form in read if not isinstance(form, Question))
    if len(forms) != len(read) - 1 or not isinstance(read[-1], Question):
        raise InputError(f"a problem ends with its only question: {text!r}")
    return Problem(forms, read[-1])


def _number(parsed: Sequence[Phrase]) -> int | None:
    """The number of a sentence; None where it says only `some`."""
    digits = [part.value for part in parsed if part.kind == "number"]
    if not digits and any(part.value == "some" for part in parsed):
        return None
    digits = digits or [number(part.value) for part in parsed if part.kind == "word" and number(part.value)]
    if len(digits) != 1:
        raise InputError(f"has {len(digits)} numbers instead of one")
    return int(digits[0])


def _relation(parsed: Sequence[Phrase], words: set[str]) -> tuple[str, int] | None:
    """The relation and its number; 0 if the sentence gives the number in digits or as a number word."""
    for part in parsed:
        if part.kind == "word" and (parts_ := fraction(part.value)):
            return "/", parts_
    for word, times in MULTIPLES.items():
        if word in words:
            return "*", times
    signs = [sign for word, sign in MORE.items() if word in words]
    if "times" in words:
        return "/" if "-" in signs else "*", 0
    if signs and words & {"than", *AGAINST}:
        return signs[0], 0
    return None


def _comparison(
    relation_read: tuple[str, int], parsed: Sequence[Phrase], agents: list[str], thing: Thing
) -> Comparison:
    if len(agents) != 2:
        raise InputError(f"a comparison needs two agents, not {len(agents)}")
    relation, quantity = relation_read
    if quantity and any(part.kind == "number" for part in parsed):
        raise InputError("has two numbers")
    return Comparison(agents[0], relation, agents[1], quantity or _number(parsed), thing)


def _question(words: set[str], agents: list[str], thing: Thing) -> Question:
    if not words & ASKING:
        raise InputError("does not ask how many")
    if len(agents) == 1 and not words & MORE.keys():
        return Question("count", tuple(agents), thing)
    if len(agents) == 2 and words & (MORE.keys() | {"difference", "exceed"}):
        fewer = bool(words & {"fewer", "less", "smaller"})
        return Question("difference", tuple(agents[::-1] if fewer else agents), thing)
    if len(agents) == 2 and words & TOGETHER:
        return Question("total", tuple(agents), thing)
    raise InputError("is not a known kind of question")


def _transfer(parsed: Sequence[Phrase], roles: Sequence[tuple[str, str]], thing: Thing) -> Transfer:
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
        raise InputError("does not say who gives or gets")
    return Transfer(sides[0], sides[1], _number(parsed), thing)


@cache
def _lexicon() -> Lexicon:
    """The vocabulary inverted: written form -> key."""
    phrases: dict[str, dict[str, str]] = {}
    kinds = {
        "thing": [stock.thing.entity for stock in VOCABULARY.stock],
        "unit": [stock.thing.unit for stock in VOCABULARY.stock if stock.thing.unit],
        "attribute": [attribute for stock in VOCABULARY.stock for attribute in stock.attributes],
    }
    for kind, keys in kinds.items():
        for key in keys:
            for written in (key, PLURALS.get(key, key) if kind != "attribute" else key):
                phrases.setdefault(written, {})[kind] = key
    scenery = set()
    for setting in SETTINGS:
        lines = setting.event, setting.close, setting.intro, setting.place, (*setting.mates, setting.at)
        for phrase in chain.from_iterable(lines):
            phrases.setdefault(phrase.lower(), {})["scene"] = phrase
        told = [*setting.open, *setting.too, *(text for group in setting.groups for text in (*group.gain, *group.lose))]
        told += [base for group in setting.groups for did in group.did for base in did]
        scenery |= {word.removesuffix("'s").rstrip("'").lower() for text in told for word in WORD.findall(text)}
    genders = {name: "f" if subject == "she" else "m" for name, (subject, *_) in PRONOUNS.items()}
    longest: dict[str, int] = {}
    for written in phrases:
        first, *more = written.split()
        longest[first] = max(longest.get(first, 1), 1 + len(more))
    starts = frozenset(written.split()[0] for written, meanings in phrases.items() if "scene" not in meanings)
    return Lexicon(genders, phrases, longest, starts, frozenset(scenery - _MEANING))


_MEANING = MORE.keys() | MULTIPLES.keys() | {"not", "no", "never", "none"}
"""Words that are no mere scenery: without them the reader might miss what a sentence says."""
