"""The figures that a release promises: how varied its English is, and how its numbers are spread."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from hansproof.generators.dataset import Figure
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.english.vocabulary import MASSES, PLURALS, PRONOUNS, VOCABULARY
from hansproof.generators.word_problems.forms import Remark, parse
from hansproof.generators.word_problems.scorer import ASK

__all__ = ["figures"]

# Distinct 4-grams are the share of different ones among all (Li et al. 2016, for n = 1 and 2), once names, numbers and
# counted things are masked. It falls as texts grow, so samples have equally many; in version 1.0.0 it is .40.

_GRAMS = 1350
_LENGTH = 4

_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*|\d+")
_NOUNS = dict.fromkeys((*PLURALS, *PLURALS.values(), *MASSES), "noun")
_NOUNS |= {attribute: "" for stock in VOCABULARY.stock for attribute in stock.attributes}
_LONGEST = max(noun.count(" ") for noun in _NOUNS) + 1


def masked(text: str) -> list[str]:
    """The words of a text in small letters, with `name`, `number` and `noun` for what a problem could exchange.

    All nouns of the vocabulary are masked wherever they stand, with their attributes and units as parts of them.
    """
    words = _WORD.findall(text)
    told = " ".join(_masked(words))
    return told.replace("noun of noun", "noun").split()


def _masked(words: Sequence[str]) -> Iterator[str]:
    place = 0
    while place < len(words):
        word = words[place]
        for width in range(_LONGEST, 0, -1):
            phrase = " ".join(words[place : place + width]).lower()
            if phrase in _NOUNS and word not in PRONOUNS:
                place += width
                if _NOUNS[phrase]:
                    yield "noun"
                break
        else:
            place += 1
            yield "name" if word in PRONOUNS else "number" if word.isdigit() else word.lower()


def distinct(texts: Sequence[str], stream: Stream) -> float:
    """The share of distinct masked 4-grams: the mean over all samples of 1,350 in a row, from texts in random order.

    Every text counts once. NaN where the texts have fewer than one sample.
    """
    grams: list[tuple[str, ...]] = []
    for text in stream.shuffled(texts):
        line = masked(text)
        grams += zip(*(line[at:] for at in range(_LENGTH)))
    samples = [grams[start : start + _GRAMS] for start in range(0, len(grams) - _GRAMS + 1, _GRAMS)]
    return sum(len(set(sample)) for sample in samples) / len(samples) / _GRAMS if samples else float("nan")


_SENTENCE = re.compile(r"(?<=[.?!]) ")
_NUMBER = re.compile(r", (\d+)[,)]")


def number_figures(items: Mapping[str, Sequence[Item]]) -> Iterator[Figure]:
    """The figures of the numbers of a release, of the subsets that it has."""
    every = [item for rows in items.values() for item in rows]
    traps = [(item.metadata["trap"], item.answer) for item in every if "trap" in item.metadata]
    if traps:
        yield Figure(
            "traps",
            "share of the traps that are another whole number from 2 to 999",
            sum(isinstance(trap, int) and 2 <= trap <= 999 and str(trap) != gold for trap, gold in traps) / len(traps),
            least=1.0,
        )
    numbers = [number for item in every for number in (*_told(item), *_worked(item))]
    yield Figure("smallest number", "the smallest number in a text or a step", float(min(numbers)), 2.0)
    idle = [item for item in items.get("distractor", ()) if item.metadata["idle_at"] >= 0]
    if idle:
        yield Figure(
            "idle results",
            "numbers that matter to nobody and are the answer or the result of a step",
            float(sum(bool({*_told(item, item.metadata["idle_at"])} & {*_worked(item)[2::3]}) for item in idle)),
            most=0.0,
        )
    yield Figure(
        "printed answers",
        "texts in which the answer is among the numbers",
        float(sum(str(number) == item.answer for item in every for number in _told(item))),
        most=0.0,
    )


def _told(item: Item, place: int | None = None) -> list[int]:
    """The numbers of the text, or of one sentence."""
    forms = item.metadata["forms"] if place is None else item.metadata["forms"][place : place + 1]
    return [int(number) for form in forms for number in _NUMBER.findall(form)]


def _worked(item: Item) -> list[int]:
    """The numbers of the steps: of each the left one, the right one and the result; none where one is missing."""
    words = [word for step in item.metadata["steps"] for word in step.split()[::2]]
    return [] if "?" in words else [int(word) for word in words]


# What the arms of a group may differ in, as texts. The measures of each pair of arms are equal in every single group,
# but for the characters of transfers and comparisons, which are equal on average.

_ALIKE: dict[str, tuple[tuple[str, str], float]] = {
    "transfer-comparison": (("transfer", "comparison"), 2.0),
    "carry": (("no-carry", "carry"), 0.0),
    "distractor": (("unusable-number", "usable-number"), 0.0),
    "unanswerable": (("answerable", "unanswerable"), 0.0),
}
"""Subset -> two arms, and how many characters they may differ in on average."""
_MEASURES: dict[str, Callable[[str], float]] = {
    "words": lambda text: len(text.split()),
    "commas": lambda text: text.count(","),
    "sentences": lambda text: len(_SENTENCE.split(text)),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "characters": len,
}


def arm_figures(items: Mapping[str, Sequence[Item]]) -> Iterator[Figure]:
    """How far apart the arms of a group are in words, commas, sentences, digits and characters."""
    for name, (arms, most) in _ALIKE.items():
        texts = {arm: [item.prompt for item in items.get(name, ()) if item.condition == arm] for arm in arms}
        if not all(texts.values()):
            continue
        for what, measure in _MEASURES.items():
            pairs = zip(*([measure(text) for text in texts[arm]] for arm in arms))
            gaps = [first - second for first, second in pairs]
            yield Figure(
                f"{what} in {name}",
                f"how many more {what} {arms[0]} has than {arms[1]} in {name}, on average",
                sum(gaps) / len(gaps),
                least=-most if what == "characters" else 0.0,
                most=most if what == "characters" else 0.0,
            )


def text_figures(items: Mapping[str, Sequence[Item]]) -> list[Figure]:
    """The figures of the texts of a release but for the plain ones: variety, commonest sentence, nouns."""
    every = [item for name, rows in items.items() if name != "plain" for item in _single(rows)]
    sentences, things = _sentences(every)
    counts = {form: Counter(told) for form, told in sentences.items()}
    different = sum(map(len, counts.values()))
    commonest = max((max(told.values()) / told.total() for told in counts.values()), default=float("nan"))
    return [
        Figure(
            "distinct 4-grams",
            "different 4-grams among 1,350, with names, numbers and counted nouns masked",
            distinct([item.prompt.removesuffix(ASK) for item in every], Stream(0, "word-problems", "distinct 4-grams")),
            least=0.7,
        ),
        Figure(
            "commonest sentence",
            "the share of the commonest sentence in all of its logical form, with the same words masked",
            commonest,
            most=0.05,
        ),
        Figure("sentences", "different sentences, with the same words masked", float(different), 250),
        Figure("nouns", "different nouns that are counted", float(len(things)), 300),
    ]


def _single(rows: Sequence[Item]) -> list[Item]:
    """One item of each group, its conditions in turn: the others repeat its sentences."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in rows:
        groups[item.group].append(item)
    return [group[place % len(group)] for place, group in enumerate(groups.values())]


def _sentences(items: Sequence[Item]) -> tuple[dict[str, list[str]], set[str]]:
    """The masked sentences of each logical form, and the nouns."""
    told: dict[str, list[str]] = defaultdict(list)
    things: set[str] = set()
    for item in items:
        forms = [*item.metadata["forms"], item.metadata["question"]]
        for form, sentence in zip(forms, _SENTENCE.split(item.prompt), strict=False):
            kind = "question" if form == item.metadata["question"] else form.partition("(")[0]
            told[kind].append(" ".join(masked(sentence)))
            read = parse(form)
            if not isinstance(read, Remark):
                things.add(f"{read.thing.unit} {read.thing.entity}")
    return told, things


def figures(items: Mapping[str, Sequence[Item]]) -> list[Figure]:
    """All figures, first those of the texts; `items` are those of each subset."""
    return [*text_figures(items), *arm_figures(items), *number_figures(items)]
