"""What the card says in numbers is what is measured on the items of the release."""

import re
from collections import OrderedDict, defaultdict
from fractions import Fraction
from functools import cache
from statistics import mean

import pytest

from hansproof.audit.models.blind import measure_blind
from hansproof.generators.answering.scorer import ANSWER
from hansproof.generators.registry import prose
from hansproof.generators.word_problems.checking import calculated
from hansproof.generators.word_problems.dataset import DATASET
from hansproof.generators.word_problems.forms import Container, Transfer, parse

CARD = prose("word-problems")
TEXT = " ".join(f"{CARD.description} {CARD.details} {CARD.misuses}".split())


@cache
def items(subset):
    return [DATASET.item(subset, DATASET.seed, index) for index in range(DATASET.subsets[subset].rows)]


@cache
def blind(subset):
    """(part, strategy) -> share in per cent, out of sample."""
    return {(row.part, row.strategy): 100 * row.share.share for row in measure_blind(items(subset), DATASET.scorer)}


def numbers(item):
    return [int(number) for form in item.metadata["forms"] for number in re.findall(r", (\d+),", form)]


@pytest.mark.slow
def test_whoever_takes_comparisons_at_their_word_gets_what_the_card_says():
    subsets = ("counterbalanced-additive", "counterbalanced-multiplicative", "carry", "transfer-comparison")
    first, second, third, last = (blind(subset)[ANSWER, "at-its-word"] for subset in subsets)
    assert f"gets {first:.1f}, {second:.1f}, {third:.1f} and {last:.1f} % of them right" in TEXT
    chance = mean(DATASET.scorer.chance(item)[ANSWER] for item in items("transfer-comparison"))
    assert f"chance is 50.0, 50.0, 50.0 and {100 * chance:.1f} %" in TEXT
    known = blind("consistency")["operation", "number-operation"]
    assert f"gives the operation in {known:.1f} % of the problems" in TEXT


def test_strategies_are_scored_on_the_items_that_they_answer():
    (row,) = (
        row for row in measure_blind(items("transfer-comparison")[:400], DATASET.scorer)
        if (row.part, row.strategy) == (ANSWER, "at-its-word")
    )  # fmt: skip
    assert (row.items, row.answered) == (400, 200)
    assert row.share.share < 0.35  # the transfers, which it does not answer, count neither as right nor as wrong


def test_the_person_asked_about_is_named_last_equally_often():
    last = defaultdict(list)
    for item in items("consistency"):
        people = {name for form in item.metadata["forms"] for name in re.findall(r"[(, ]([A-Z][a-z]+)(?=[,)])", form)}
        before = " ".join(part for part in re.split(r"(?<=[.?]) ", item.prompt) if not part.endswith("?"))
        named = max(people, key=lambda name: max((m.start() for m in re.finditer(rf"\b{name}\b", before)), default=-1))
        last[item.condition].append(f"count({named}," in item.metadata["question"])
    easy, hard = (100 * mean(each) for each in last.values())
    assert easy == hard
    assert f"the last one named in {easy:.1f} % of the problems of either arm" in TEXT


def test_sizes_of_carry_are_as_on_the_card():
    told = defaultdict(list)
    for item in items("carry"):
        told[item.metadata["size"], item.condition].append((numbers(item)[0], int(item.answer)))
    means = {key: [mean(column) for column in zip(*rows)] for key, rows in told.items()}
    for size in ("smaller", "larger"):
        easy, hard = means[size, "no-carry"], means[size, "carry"]
        assert easy[0] == hard[0]
        assert f"{easy[0]:.1f}" in TEXT
        assert f"{easy[1]:.1f} and {hard[1]:.1f}" in TEXT


def keeps_in_mind(item, room):
    """Whether a reader gets the answer who goes through the sentences and keeps the last `room` amounts in mind."""
    mind = OrderedDict()

    def keep(who, amount):
        mind.pop(who, None)
        mind[who] = amount
        while len(mind) > room:
            mind.popitem(last=False)

    for form in map(parse, item.metadata["forms"]):
        if isinstance(form, Container):
            keep(form.agent, Fraction(form.quantity))
        elif isinstance(form, Transfer):
            for who, change in ((form.receiver, form.quantity), (form.sender, -form.quantity)):
                if who in mind:
                    keep(who, mind[who] + change)
        elif form.other in mind or form.agent in mind:
            ahead = form.other in mind
            known, new = (form.other, form.agent) if ahead else (form.agent, form.other)
            amount = mind[known]
            keep(known, amount)
            keep(new, calculated(amount, form.relation if ahead else BACK[form.relation], Fraction(form.quantity)))
    question = parse(item.metadata["question"])
    values = [mind.get(agent) for agent in question.agents]
    if None in values:
        return False
    if len(values) == 2:
        values = [sum(values) if question.kind == "total" else values[0] - values[1]]
    return str(*values) == item.answer


BACK = {"+": "-", "-": "+", "*": "/", "/": "*"}


@pytest.mark.slow
def test_knobs_move_what_they_say():
    def at(subset, level, step=1, first=0):
        return [DATASET.item(f"{subset}@{level}", 1, step * index + first) for index in range(400)]

    def words(rows):
        return round(mean(len(item.prompt.split()) for item in rows))

    def kept(rows):
        return round(100 * mean(keeps_in_mind(item, 4) for item in rows))

    def gap(rows):
        forms = [item.metadata["forms"] for item in rows]
        return round(mean(len(each) - next(at for at, form in enumerate(each) if ", some," in form) for each in forms))

    shown = {name: subset.knob.shown for name, subset in DATASET.subsets.items() if subset.knob}
    low, high = at("counterbalanced-additive", 1), at("counterbalanced-additive", 24)
    assert f"{words(low)} words at 1, {words(high)} at 24" in shown["counterbalanced-additive"]
    low, high = at("distractor", 1, 4, 3), at("distractor", 8, 4, 3)
    assert f"{kept(low)} % of usable-number right at 1, {kept(high)} % at 8" in shown["distractor"]
    low, high = at("unanswerable", 2, 2, 1), at("unanswerable", 12, 2, 1)
    assert f"{words(low)} words at 2, {words(high)} at 12" in shown["unanswerable"]
    assert f"the gap is {gap(low)} and {gap(high)} sentences before" in shown["unanswerable"]
    low, high = at("nonlinear", 3), at("nonlinear", 24)
    assert f"{kept(low)} % right at 3, {kept(high)} % at 24" in shown["nonlinear"]


def test_the_card_is_short_enough_to_be_read():
    assert len(CARD.description.split()) <= 250
    assert sum(len(part.split()) for part in (CARD.description, CARD.details, CARD.uses, CARD.misuses)) < 2000


@pytest.mark.parametrize(("one_right", "points"), [(0.1, "4.0"), (0.2, "5.6"), (0.4, "7.9")])
def test_the_power_on_the_card_is_that_of_a_paired_test(one_right, points):
    # The difference of a pair is -1, 0 or 1, so the variance is the share with one right: 2.802 errors.
    assert f"{100 * 2.802 * (one_right / 500) ** 0.5:.1f}" == points
    assert re.search(rf"\b{re.escape(points)}\b", TEXT)
