"""What a release of word problems promises of its texts, measured on all of its items"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from generators.answering.figure import Figure
from generators.item import Item
from generators.stream import Stream
from generators.word_problems.english.diversity import distinct, masked
from generators.word_problems.forms import parse

__all__ = ["text_figures"]

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
