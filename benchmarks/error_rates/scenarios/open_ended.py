"""Open-ended answers: nothing to find, a rule that gives some of the golds, templates that fix the answer or do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from error_rates.scenario import Expected, Row, Scenario
from error_rates.scenarios.cues import expected_of
from error_rates.scenarios.groups import real_templates
from error_rates.scenarios.planting import insert, rows
from error_rates.texts import Texts
from hansproof.generators.lexicon.words import SIZES, words
from hansproof.generators.stream import Stream

__all__ = ["FAMILY", "RULES", "open_ended"]

FAMILY = "open-ended: "
"""How the families of these scenarios begin; their table is their own."""

_MILLION = 1_000_000
_FEW = 12
_ASKED = ("Who", "When", "Where", "Why", "Which", "How")
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twice|double|half|hundred|thousand|million)\b",
    re.I,
)
_CLEAN = Expected(frozenset({"CLEAN"}), frozenset({"INCONCLUSIVE"})).at_most(0.02)
_BOUND = Expected(frozenset({"TEMPLATE-BOUND"}), frozenset({"INCONCLUSIVE"}))

Made = tuple[str, str, str]
"""A prompt, what the rule gives for it, and an answer that has nothing to do with it."""
Rule = Callable[[str, Sequence[str], Stream], Made]


def open_ended(texts: Sequence[Texts]) -> Iterator[Scenario]:
    """All of them, on the first of the texts; templates on every file whose templates are known."""
    for known in texts[:1]:
        for case, rule, task in _NULLS:
            for n, repeats in ((300, 30), (1000, 6)):
                yield Scenario(
                    FAMILY + "answers permuted", case, known.name, n, _CLEAN, _planted(known, n, rule, 0.0, case),
                    repeats, coverage=True, task=task, watched="last number",
                )  # fmt: skip
        for name, (rule, watched) in RULES.items():
            for strength in (0.1, 0.15, 0.2, 0.3, 0.4):
                for n, repeats in ((300, 12), (1000, 4)):
                    yield Scenario(
                        FAMILY + "rule", name, known.name, n, expected_of(strength, n, "rule"),
                        _planted(known, n, rule, _share(name, strength)), repeats, kappa=strength,
                        coverage=True, watched=watched,
                    )  # fmt: skip
    for known in texts:
        if known.groups is not None:
            for given in (True, False):
                way, least = ("groups given", 0.95) if given else ("groups found", 0.85)
                bound = _BOUND.at_least(least)
                for family, answering, expected in (
                    ("one answer per template", _one_answer, bound),
                    ("one calculation per template", _one_calculation, bound),
                    ("templates with answers by chance", _any_answer, _CLEAN),
                ):
                    yield Scenario(
                        FAMILY + family, way, known.name, 600, expected, _bound(known, 60, 10, answering, given), 15,
                        task="open",
                    )  # fmt: skip


def _share(name: str, advantage: float) -> float:
    """Share of the golds that come from the rule. Where it has few answers, the constant knows a part of them."""
    return advantage / (5 / 6 + advantage / 6) if name == "answer by question word" else advantage


def _with_numbers(text: str, least: int, most: int, stream: Stream) -> tuple[str, list[int]]:
    for number in stream.child("numbers").sample(range(least, most), 3):
        text = insert(text, str(number), stream.child(f"gap {number}"))
    return text, [int(number) for number in re.findall(r"\d+", text)]


def _other(stream: Stream) -> str:
    return str(1000 + stream.child("other").below(90_000))


def _last_number(text: str, pool: Sequence[str], stream: Stream) -> Made:
    text, numbers = _with_numbers(text, 12, 990, stream)
    return text, str(numbers[-1]), _other(stream)


def _sum(text: str, pool: Sequence[str], stream: Stream) -> Made:
    text, numbers = _with_numbers(text, 12, 990, stream)
    return text, str(numbers[0] + numbers[1]), _other(stream)


def _few_numbers(text: str, pool: Sequence[str], stream: Stream) -> Made:
    """Numbers from 1 to 12, in the prompt and as the answer."""
    text, _ = _with_numbers(text, 1, _FEW + 1, stream)
    answer = str(1 + stream.child("answer").below(_FEW))
    return text, answer, answer


def _last_word(text: str, pool: Sequence[str], stream: Stream) -> Made:
    own, other = stream.child("words").sample(pool, 2)
    return f"{text} {own}", own, other


def _after_cue(text: str, pool: Sequence[str], stream: Stream) -> Made:
    own, second, third, other = stream.child("words").sample(pool, 4)
    for cue, word in (("versus", second), ("towards", own), ("minus", third)):
        text = insert(text, f"{cue} {word}", stream.child(cue))
    return text, own, other


def _question_word(text: str, pool: Sequence[str], stream: Stream) -> Made:
    at = stream.child("asked").below(len(_ASKED))
    return f"{text} {_ASKED[at]}?", pool[at], stream.child("other").choice(pool[len(_ASKED) :])


RULES: dict[str, tuple[Rule, str]] = {
    "last number": (_last_number, "last number"),
    "sum of the first two": (_sum, "sum of the first two"),
    "last word": (_last_word, "last word"),
    "after a cue word": (_after_cue, "after a cue word"),
    "answer by question word": (_question_word, "answer by question word"),
}
"""Name of the rule: how it is planted, and the strategy that finds it."""

_NULLS: tuple[tuple[str, Rule, str], ...] = (
    ("numbers, nearly all different", _last_number, "auto"),
    ("numbers of other prompts", _last_number, "auto"),
    ("numbers from 1 to 12, equally often", _few_numbers, "open"),
    ("numbers from 1 to 12", _few_numbers, "open"),
    ("words of other prompts", _last_word, "open"),
)


def _planted(texts: Texts, n: int, rule: Rule, share: float, case: str = "") -> Callable[[Stream], list[Row]]:
    """`n` prompts without numbers of their own, of whose golds this share comes from the rule."""

    def make(stream: Stream) -> list[Row]:
        usable = [text for text in texts.prompts if not _NUMBER.search(text)]
        prompts = stream.child("texts").sample(usable, min(n, len(usable)))
        pool = _pool(stream)
        made = [rule(text, pool, stream.child("item").child(at)) for at, text in enumerate(prompts)]
        draws = stream.child("rule")
        golds = [given if draws.chance(round(share * _MILLION), _MILLION) else other for _, given, other in made]
        if case.endswith("equally often"):
            golds = [str(1 + at % _FEW) for at in range(len(made))]
        elif "other prompts" in case:
            golds = [given for _, given, _ in made]
        if case:
            golds = stream.child("permuted").shuffled(golds)
        return rows([prompt for prompt, _, _ in made], golds)

    return make


def _pool(stream: Stream) -> list[str]:
    every = dict.fromkeys(
        word for kind in ("things", "events", "adjectives") for size in SIZES for word in words(kind, size)
    )
    return stream.child("pool").shuffled(list(every))


def _one_answer(members: Sequence[str], pool: Sequence[str], stream: Stream) -> list[tuple[str, str]]:
    return [(text, pool[0]) for text in members]


def _any_answer(members: Sequence[str], pool: Sequence[str], stream: Stream) -> list[tuple[str, str]]:
    """Any of the same hundred words in every template: what others of a template are answered says nothing."""
    return [(text, pool[-1 - stream.below(100)]) for text in members]


def _one_calculation(members: Sequence[str], pool: Sequence[str], stream: Stream) -> list[tuple[str, str]]:
    """Three numbers behind every text, and the same calculation with them throughout the template."""
    rule = stream.child("rule").choice(_CALCULATIONS)
    made = []
    for at, text in enumerate(members):
        numbers = stream.child(at).sample(range(12, 990), 3)
        made.append((f"{text} {' '.join(map(str, numbers))}", str(rule(numbers))))
    return made


_CALCULATIONS: tuple[Callable[[Sequence[int]], int], ...] = (
    lambda x: x[0],
    lambda x: x[1],
    lambda x: x[2],
    lambda x: x[0] + x[1],
    lambda x: x[1] + x[2],
    lambda x: abs(x[0] - x[1]),
    lambda x: x[0] * x[1],
    lambda x: sum(x),
)


def _bound(
    texts: Texts,
    count: int,
    per: int,
    answering: Callable[[Sequence[str], Sequence[str], Stream], list[tuple[str, str]]],
    given: bool,
) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        pool = _pool(stream)
        items = [
            (prompt, answer, f"template-{number}")
            for number, members in enumerate(real_templates(texts)(stream.child("texts"), per)[:count])
            for prompt, answer in answering(members, pool[number:], stream.child("template").child(number))
        ]
        prompts, golds, names = zip(*stream.child("order").shuffled(items), strict=True)
        return rows(prompts, golds, names if given else None)

    return make
