"""A plain reader of English word problems, for tests: word order and a few short lists, then arithmetic on the spot.

It reads nothing but the prompt and shares no code with the generator and its readers. Of their files it uses only the
two lists of names, which say who is `he` and who is `she`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

__all__ = ["Told", "read", "sentences"]

ENGLISH = Path(__file__).resolve().parents[3] / "generators" / "word_problems" / "english"
NAMES = {
    name: pronoun
    for file, pronoun in (("women", "she"), ("men", "he"))
    for name in (ENGLISH / f"names_{file}.txt").read_text("utf-8").splitlines()
    if not name.startswith("#")
}
PRONOUNS = {"he": "he", "his": "he", "him": "he", "she": "she", "her": "she", "hers": "she"}
listed = str.split
COUNTS = listed("zero one two three four five six seven eight nine ten eleven twelve")
PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6}
GETS = listed(
    "bought got received accepted found won picked made inherited gathered collected borrowed took dug baked ordered"
    " printed was gets"
)
GIVES = listed(
    "gave handed sold used lost lent threw donated sent returned spilt planted broke ate passed let brought gives"
)
SMALL = frozenset(
    listed(
        "than as for from to on in at by and did had was were with when after before because during into under along"
        " over while until an a next too well also ready left could there each how many first half just shortly"
    )
)
TOKEN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?:'s|')?|\d+|[,.?]")
BACK = {"+": "-", "-": "+", "*": "/", "/": "*"}
AGAINST = re.compile(r"\b(?:compared|in comparison) (?:with|to)\b")
COMPARED = re.compile(rf"\bthan\b|{AGAINST.pattern}|\bas (many|much)\b")
REMARK = re.compile(r"\b(?:in|at \d+) [A-Z][a-z]+ (?:Row|Lane|Road|Street|Avenue|Terrace|Crescent) [.]$")
ENDING = ' If the text does not say enough to know that, answer "unknown".'


def sentences(text):
    return re.split(r"(?<=[.?]) (?=[A-Z])", text)


def read(text, turned=False, some=7):
    """What a text tells. `turned` takes the two people of its only comparison the wrong way round; `some` is how many
    some are."""
    told = Told(turned, some)
    *lines, asked = sentences(text.removesuffix(ENDING))
    for line in lines:
        told.sentence(words_of(line))
    told.question(words_of(asked))
    return told


def words_of(sentence):
    words = TOKEN.findall(sentence)
    if bare(words[0]) not in NAMES:
        words[0] = words[0].lower()
    return [word for before, word in zip(["", *words], words) if before != "about"]  # at about eleven


def bare(word):
    return re.sub(r"'s?$", "", word)


def stem(word):
    """What a noun and its plural share: knife and knives, tie and ties, box and boxes."""
    word = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    word = word.removesuffix("e")
    return word[:-1] + {"y": "i", "f": "v"}.get(word[-1], word[-1])


def noun(words):
    """The noun phrase at the head of some words: up to the first small word, name or sign."""
    taken = []
    for word in words:
        if word in SMALL or not word[0].islower() or word in PRONOUNS or (word == "of" and not taken):
            break
        taken.append(word)
    return " ".join(taken)


def number_of(words):
    """(place, value) of the number of a sentence: its only one in digits, or its last number word."""
    shown = [(at, int(word)) for at, word in enumerate(words) if word.isdigit()]
    ((at, number),) = shown or [(at, COUNTS.index(word)) for at, word in enumerate(words) if word in COUNTS][-1:]
    return at, number


class Told:
    """What is known so far: how many of what each person has. `gold` answers the question."""

    def __init__(self, turned, some):
        self.turned = turned
        self.some = some
        self.has = {}
        self.things = []
        self.last = ""
        self.subjects = []
        self.worked = []
        self.numbers = []
        self.kinds = []
        self.gold = None

    @property
    def amounts(self):
        """Everything that anybody has at any moment, and what changes hands; factors are none."""
        steps = [value for first, sign, by, result in self.worked for value in (first, result)]
        return steps + [number for number, kind in zip(self.numbers, self.kinds) if kind in ("start", "move")]

    def people(self, words):
        """The people of a sentence in the order of their first mention; a pronoun is the last fitting subject."""
        named = []
        for word in words:
            if bare(word) in NAMES:
                named.append(bare(word))
            elif word in PRONOUNS:
                fits = [name for name in [*self.subjects, *named] if NAMES[name] == PRONOUNS[word]]
                named.append(fits[-1])
        return list(dict.fromkeys(named))

    def meant(self, words):
        """The thing that the words behind a number mean: the known one that shares most of them, else the last one."""
        stems = {stem(word) for word in noun(words).split()}
        shared = {thing: len(stems & {stem(word) for word in thing.split()} - {"of"}) for thing in self.things}
        best = max(shared.values(), default=0)
        self.last = next(thing for thing in reversed(self.things) if shared[thing] == best) if best else self.last
        return self.last

    def new(self, who, thing, value):
        assert (who, thing) not in self.has, (who, thing)
        if thing not in self.things:
            self.things.append(thing)
        self.has[who, thing] = value
        self.last = thing

    def calculated(self, value, sign, by):
        result = {"+": value + by, "-": value - by, "*": value * by, "/": Fraction(value, by)}[sign]
        self.worked.append((value, sign, by, result))
        return result

    def sentence(self, words):
        people, text = self.people(words), " ".join(words)
        if REMARK.search(text):
            self.numbers += [int(word) for word in words if word.isdigit()]
            self.kinds += ["remark"] * any(word.isdigit() for word in words)
            return
        if "some" in words and not any(word.isdigit() for word in words):
            words[words.index("some")] = str(self.some)
        self.kinds.append(self.compare(words, people, text) if COMPARED.search(text) else self.change(words, people))
        self.subjects += people[:1]

    def compare(self, words, people, text):
        if AGAINST.search(text):
            people.reverse()
        subject, other = people[::-1] if self.turned else people
        part = re.search(rf"\b({'|'.join(PARTS)}) as (?:many|much)\b(.*)", text)
        times = re.search(r"\b(?:twice|(\w+) times) as (?:many|much)\b(.*)", text)
        if part:
            sign, number, rest = "/", PARTS[part[1]], part[2]
        elif times:
            sign, number, rest = "*", COUNTS.index(times[1]) if times[1] else 2, times[2]
        else:
            at, number = number_of(words)
            sign = "+" if "more" in words else "-"
            rest = " ".join(word for word in words[at + 1 :] if word not in ("more", "fewer", "less"))
        thing = self.meant(rest.split())
        self.numbers.append(number)
        assert ((subject, thing) in self.has) != ((other, thing) in self.has), text
        if (other, thing) in self.has:
            self.new(subject, thing, self.calculated(self.has[other, thing], sign, number))
        else:
            self.new(other, thing, self.calculated(self.has[subject, thing], BACK[sign], number))
        return "factor" if sign in "*/" else "compare"

    def change(self, words, people):
        at, number = number_of(words)
        self.numbers.append(number)
        first = min(place for place, word in enumerate(words) if bare(word) in NAMES or word in PRONOUNS)
        verb = next((word for word in words[first:] if word in GETS or word in GIVES or word in ("had", "has")), "had")
        verb = "had" if verb == "has" else verb
        alone = len(people) == 1 and (people[0], self.meant(words[at + 1 :])) not in self.has
        if not self.has or verb == "had" or alone:
            (who,) = people
            known = self.meant(words[at + 1 :])
            also = not known or (who, known) in self.has
            self.new(who, noun(words[at + 1 :]) if also else known, number)
            return "start"
        thing = self.meant(words[at + 1 :])
        pair = people if len(people) == 2 else [people[0], ""]
        receiver, sender = pair if verb in GETS else pair[::-1]
        assert ((receiver, thing) in self.has) != ((sender, thing) in self.has), words
        who, sign = (receiver, "+") if (receiver, thing) in self.has else (sender, "-")
        self.has[who, thing] = self.calculated(self.has[who, thing], sign, number)
        return "move"

    def question(self, words):
        people = self.people(words)
        more, rest = re.search(r"\b(?:many|much) (more )?(.*)", " ".join(words)).groups()
        thing = self.meant(rest.split())
        values = [self.has[who, thing] for who in people]
        self.gold = values[0] if len(values) == 1 else self.calculated(values[0], "-" if more else "+", values[1])
