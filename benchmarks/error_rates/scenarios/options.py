"""Items with options of their own: golds permuted, cues in options, shared options, a position that is often gold.

Texts are made (options of random words) or real: the questions and options of the files whose items have them. Golds
are always drawn anew, so that whatever cues the authors of a file left count for nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from error_rates.scenario import OPTIONS, Expected, Row, Scenario
from error_rates.scenarios.cues import expected_of
from error_rates.scenarios.planting import insert, synonyms
from error_rates.texts import Item, Texts
from hansproof.generators.lexicon.words import SIZES, words
from hansproof.generators.stream import Stream

__all__ = ["made_items", "options", "pointed"]

STRENGTHS = (0.1, 0.15, 0.2, 0.3, 0.4)

_CLEAN = Expected(frozenset({"CLEAN"}), frozenset({"INCONCLUSIVE"})).at_most(0.02)
_BOUND = Expected(frozenset({"TEMPLATE-BOUND"}), frozenset({"INCONCLUSIVE"})).at_most(0.02, "LEAKS", "TRACES", "CLEAN")
_COMMON = Expected(frozenset({"IMBALANCED"}), frozenset({"INCONCLUSIVE"})).at_least(0.95)

_MILLION = 1_000_000

_WORD, _FEW = re.compile(r"\w{3,}"), 0.05
"""Words that a question is known by: those of at most this share of the questions."""

_PER = 5
"""Items that share their options, or a passage."""

Pool = Callable[[Stream, int], list[Item]]
"""(stream, number of items) -> so many items, or all there are."""


def options(texts: Sequence[Texts]) -> Iterator[Scenario]:
    """All of them, on made items and on those of the texts that have options."""
    made = "made: options"
    yield from _nulls(made, "k = 2", _made(2), {300: 20})
    yield from _nulls(made, "k = 4", _made(4), {300: 40, 1000: 4})
    yield from _nulls(made, "k = 2 to 5", _made(2, 5), {300: 40, 1000: 4})
    yield from _cues(made, _made(4), 1.0)
    yield from _positions(made, _made(4))
    for known in texts:
        if known.items:
            k = max(len(choices) for _, choices in known.items)
            yield from _nulls(known.name, f"k = {k}", known.draw_items, {300: 30, 1000: 4})
            yield from _nulls(known.name, f"k = 2 to {k}", _shortened(known.draw_items), {300: 30})
            yield from _cues(known.name, known.draw_items, 1.0 if known is texts[0] else 0.3)
            yield from _shared(known.name, known.draw_items)
    yield from _shared(made, _made(4))


def made_items(n: int, least: int, most: int, stream: Stream) -> list[Item]:
    """`n` items with `least` to `most` options of 3 to 6 words each. Words of questions are in no option."""
    things = list(
        dict.fromkeys(w for kind in ("things", "roles", "places") for size in SIZES for w in words(kind, size))
    )
    asked, offered = things[::3], [word for number, word in enumerate(things) if number % 3]
    return [
        (
            f"Which goes with {' and '.join(of.sample(asked, 4))}?",
            [" ".join(of.sample(offered, 3 + of.below(4))) for _ in range(least + of.below(most - least + 1))],
        )
        for of in map(stream.child, range(n))
    ]


def pointed(golds: Sequence[int], sizes: Sequence[int], kappa: float, stream: Stream) -> list[int]:
    """The option that the cue of each item marks: the gold with probability `kappa`, otherwise any of its options.

    A perfect reader is right in kappa + (1 - kappa) / k of the items, so its kappa beyond guessing is `kappa`.
    """
    own = [stream.chance(round(kappa * _MILLION), _MILLION) for _ in golds]
    return [gold if sure else stream.below(size) for gold, size, sure in zip(golds, sizes, own, strict=True)]


def _made(least: int, most: int = 0) -> Pool:
    return lambda stream, n: made_items(n, least, most or least, stream)


def _shortened(pool: Pool) -> Pool:
    """The same items, each with some of its options: 2 at least."""

    def drawn(stream: Stream, n: int) -> list[Item]:
        of = stream.child("sizes")
        return [(asked, of.sample(choices, 2 + of.below(len(choices) - 1))) for asked, choices in pool(stream, n)]

    return drawn


def _rows(items: Sequence[Item], golds: Sequence[int], groups: Sequence[str] | None = None) -> list[Row]:
    made: list[Row] = [
        {"prompt": asked, "choices": choices, "answer": chr(ord("A") + gold)}
        for (asked, choices), gold in zip(items, golds, strict=True)
    ]
    return made if groups is None else [{**row, "group": name} for row, name in zip(made, groups, strict=True)]


def _any(items: Sequence[Item], stream: Stream) -> list[int]:
    return [stream.below(len(choices)) for _, choices in items]


def _nulls(texts: str, case: str, pool: Pool, repeats: dict[int, int]) -> Iterator[Scenario]:
    def make(n: int) -> Callable[[Stream], list[Row]]:
        def rows(stream: Stream) -> list[Row]:
            items = pool(stream.child("texts"), n)
            return _rows(items, _any(items, stream.child("golds")))

        return rows

    for n, times in repeats.items():
        yield Scenario(f"{OPTIONS}golds permuted within items", case, texts, n, _CLEAN, make(n), times, coverage=True)


def _cues(texts: str, pool: Pool, share: float) -> Iterator[Scenario]:
    """Cues of every strength; `share` of the repeats of the run list."""
    often = {300: {0.1: 60, 0.15: 15, 0.2: 15, 0.3: 20, 0.4: 10}, 1000: {0.1: 8, 0.15: 4, 0.2: 4, 0.3: 20, 0.4: 4}}
    for cue in _CUES:
        main = cue == "one word"
        for n in (300, 1000):
            for kappa in STRENGTHS:
                times = often[n][kappa] if main else {300: 10, 1000: 0}[n] if kappa in (0.1, 0.3, 0.4) else 0
                yield Scenario(
                    family=f"{OPTIONS}{cue}",
                    case="in one option per item",
                    texts=texts,
                    n=n,
                    expected=expected_of(kappa, n, cue),
                    make=_cued(pool, n, cue, kappa),
                    repeats=round(share * times),
                    kappa=kappa,
                    coverage=True,
                )


def _cued(pool: Pool, n: int, cue: str, kappa: float) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        items = pool(stream.child("texts"), n)
        golds = _any(items, stream.child("golds"))
        marked = pointed(golds, [len(choices) for _, choices in items], kappa, stream.child("hints"))
        mark = _CUES[cue](items, stream.child("cue"))
        return _rows([
            (asked, [mark(item, text) if place == at else text for place, text in enumerate(choices)])
            for (item, (asked, choices)), at in zip(enumerate(items), marked, strict=True)
        ], golds)  # fmt: skip

    return make


Mark = Callable[[int, str], str]
"""(number of the item, option) -> the option with the cue."""


def _worded(count: int) -> Callable[[Sequence[Item], Stream], Mark]:
    def cue(items: Sequence[Item], stream: Stream) -> Mark:
        [known] = synonyms(1, count, [text for asked, choices in items for text in (asked, *choices)], stream)
        return lambda item, text: insert(text, stream.choice(known), stream)

    return cue


def _asked(items: Sequence[Item], stream: Stream) -> Mark:
    """A word of the question, but of few questions, that none of its options has; without one, the option as it is."""
    asked = [_WORD.findall(question) for question, _ in items]
    having = Counter(word for words in asked for word in set(words))

    def mark(item: int, text: str) -> str:
        taken = {word for choice in items[item][1] for word in _WORD.findall(choice.lower())}
        free = [word for word in asked[item] if having[word] <= _FEW * len(items) and word.lower() not in taken]
        return insert(text, stream.choice(free), stream) if free else text

    return mark


_CUES: dict[str, Callable[[Sequence[Item], Stream], Mark]] = {
    "one word": _worded(1),
    "10 words": _worded(10),
    "a word of the question": _asked,
}


def _positions(texts: str, pool: Pool) -> Iterator[Scenario]:
    """Golds at the second place so often that always choosing it has this kappa."""
    for kappa, n, expected, times in ((0.1, 300, _CLEAN, 15), (0.3, 300, _COMMON, 15), (0.4, 300, _COMMON, 10)):

        def make(stream: Stream, n: int = n, kappa: float = kappa) -> list[Row]:
            items = pool(stream.child("texts"), n)
            return _rows(items, pointed([1] * n, [len(choices) for _, choices in items], kappa, stream.child("golds")))

        yield Scenario(f"{OPTIONS}a common position", "the second", texts, n, expected, make, times, kappa)


def _shared(texts: str, pool: Pool) -> Iterator[Scenario]:
    """60 sets of 5 items with one right option per set, or with a word of right options that only their passage has."""
    for given in (True, False):
        way = f"groups {'given' if given else 'found'}"
        yield Scenario(f"{OPTIONS}one right option per set", f"shared options, {way}", texts, 60 * _PER, _BOUND,
                       _sets(pool, given), 10)  # fmt: skip
    yield Scenario(f"{OPTIONS}one right option per set", "a word of the passage, groups given", texts, 60 * _PER,
                   _BOUND, _passages(pool), 10)  # fmt: skip


def _sets(pool: Pool, given: bool) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        items, of = pool(stream.child("texts"), 60 * _PER), stream.child("sets")
        made: list[Item] = []
        golds: list[int] = []
        for number, (asked, _) in enumerate(items):
            first = items[number - number % _PER][1]
            order = of.shuffled(range(len(first)))
            made.append((asked, [first[place] for place in order]))
            golds.append(order.index(0))
        return _rows(made, golds, [f"set-{number // _PER}" for number in range(len(items))] if given else None)

    return make


def _passages(pool: Pool) -> Callable[[Stream], list[Row]]:
    """Every option gets an invented word: right ones that of their passage, wrong ones one of their own."""

    def make(stream: Stream) -> list[Row]:
        items, of = pool(stream.child("texts"), 60 * _PER), stream.child("places")
        golds = _any(items, stream.child("golds"))
        right, wrong = stream.child("right"), stream.child("wrong")
        made = [
            (asked, [insert(text, _invented(right.child(number // _PER) if place == gold
                                            else wrong.child(number).child(place)), of)
                     for place, text in enumerate(choices)])
            for number, ((asked, choices), gold) in enumerate(zip(items, golds, strict=True))
        ]  # fmt: skip
        return _rows(made, golds, [f"passage-{number // _PER}" for number in range(len(items))])

    return make


def _invented(stream: Stream) -> str:
    """A word of eight letters that nobody knows."""
    return "".join(stream.choice("bdfgklmnprst" if place % 2 else "aeiou") for place in range(8))
