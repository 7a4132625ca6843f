"""The figures that a release promises: how varied its English is, and how its numbers are spread."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from hansproof.generators.dataset import Figure
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.english.vocabulary import MASSES, PLURALS, PRONOUNS, VOCABULARY
from hansproof.generators.word_problems.forms import parse

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


_CARRIES = {"carry": 0.6, "counterbalanced-carry": 0.0}
"""Subset -> how far the sums of digits of its arms may be apart, on average."""
_UNPRINTED = ("distractor", "surface-forms")
_NUMBER = re.compile(r", (\d+),")


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
    idle = [item for item in items.get("distractor", ()) if item.metadata["distractor_at"] >= 0]
    if idle:
        yield Figure(
            "idle results",
            "distractors whose number is the answer or the result of a step",
            float(sum(_told(item)[item.metadata["distractor_at"]] in _worked(item)[2::3] for item in idle)),
            most=0.0,
        )
    for name in _UNPRINTED:
        if name in items:
            yield Figure(
                f"printed answers in {name}",
                f"texts of {name} in which the answer is among the numbers",
                float(sum(int(item.answer or -1) in _told(item) for item in items[name])),
                most=0.0,
            )
    for name, most in _CARRIES.items():
        if name in items:
            yield from _digits(name, items[name], most)


def _digits(name: str, items: Sequence[Item], most: float) -> Iterator[Figure]:
    texts = [str(number) for item in items for number in (*_told(item), item.answer)]
    zeros = sum(text.count("0") for text in texts)
    yield Figure(f"zeros in {name}", f"digits that are 0 in texts and answers of {name}", float(zeros), most=0.0)
    sums, sizes = _by_arm(items, lambda number: sum(map(int, str(number)))), _by_arm(items, int)
    yield Figure(
        f"digits in {name}",
        f"difference of the arms of {name} in the sum of digits of a text, on average",
        _gap(sums),
        most=most,
    )
    yield Figure(
        f"sizes in {name}",
        f"difference of the arms of {name} in the sum of the numbers of a text, on average",
        _gap(sizes),
    )


def _by_arm(items: Sequence[Item], worth: Callable[[int], int]) -> dict[str, list[int]]:
    arms: dict[str, list[int]] = defaultdict(list)
    for item in items:
        arms[item.condition].append(sum(map(worth, _told(item))))
    return arms


def _gap(arms: Mapping[str, Sequence[int]]) -> float:
    means = [sum(values) / len(values) for values in arms.values()]
    return max(means) - min(means) if len(means) > 1 else float("nan")


def _told(item: Item) -> list[int]:
    """The numbers of the text: of each logical form the only one."""
    return [int(number) for form in item.metadata["forms"] for number in _NUMBER.findall(form)]


def _worked(item: Item) -> list[int]:
    """The numbers of the steps: of each the left one, the right one and the result."""
    return [int(word) for step in item.metadata["steps"] for word in step.split()[::2]]


_SENTENCE = re.compile(r"(?<=[.?!]) ")
_ARMS = ("transfer-comparison", "counterbalanced-transfer")


def text_figures(items: Mapping[str, Sequence[Item]]) -> list[Figure]:
    """The figures of a release: variety, commonest sentence, nouns, and lengths of the arms that are compared."""
    every = [item for rows in items.values() for item in _single(rows)]
    sentences, things = _sentences(every)
    counts = {form: Counter(told) for form, told in sentences.items()}
    different = sum(map(len, counts.values()))
    commonest = max((max(told.values()) / told.total() for told in counts.values()), default=float("nan"))
    return [
        Figure(
            "distinct 4-grams",
            "different 4-grams among 1,350, with names, numbers and counted nouns masked",
            distinct([item.prompt for item in every], Stream(0, "word-problems", "distinct 4-grams")),
            least=0.75,
        ),
        Figure(
            "commonest sentence",
            "the share of the commonest sentence in all of its logical form, with the same words masked",
            commonest,
            most=0.02,
        ),
        Figure("sentences", "different sentences, with the same words masked", float(different), 250),
        Figure("nouns", "different nouns that are counted", float(len(things)), 300),
        *(
            Figure(
                f"length in {name}",
                f"largest difference in words between the arms of {name}, on average over problems of as many steps",
                _length_gap(items[name]),
                most=1.0,
            )
            for name in _ARMS
            if name in items
        ),
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
            thing = parse(form).thing
            things.add(f"{thing.unit} {thing.entity}")
    return told, things


def _length_gap(items: Sequence[Item]) -> float:
    """The largest difference between the mean numbers of words of two conditions, over the numbers of steps."""
    words: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        words[item.metadata["n_steps"]][item.condition].append(len(item.prompt.split()))
    gaps = []
    for conditions in words.values():
        means = [sum(counts) / len(counts) for counts in conditions.values()]
        gaps.append(max(means) - min(means))
    return max(gaps, default=float("nan"))


def figures(items: Mapping[str, Sequence[Item]]) -> list[Figure]:
    """All figures, first those of the texts; `items` are those of each subset."""
    return [*text_figures(items), *number_figures(items)]
