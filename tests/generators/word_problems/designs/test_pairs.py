"""The pairs of word problems: a diff shows that nothing differs except what must."""

import re
from difflib import SequenceMatcher
from itertools import chain

import pytest
from slow_part import slow_but

from hansproof.generators.errors import UsageError
from hansproof.generators.word_problems.checking import solve
from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.forms import Problem, parse
from hansproof.generators.word_problems.model import answer, model, steps

PAIRS = 400
SEED = 11
PAIRED = [name for name, plan in PLANS.items() if plan.size == 2]
COUNTERBALANCED = ("counterbalanced-additive", "counterbalanced-multiplicative")
ONE_ANSWER = [name for name in PAIRED if name not in (*COUNTERBALANCED, "counterbalanced-carry")]
NUMBER = re.compile(r"(an?|one) (third|quarter|fifth|sixth)|half|twice|(\d+|three|four|five|six) times|\d+")
INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}


def pairs(subset, count=PAIRS, seed=SEED):
    return [(DATASET.item(subset, seed, 2 * i), DATASET.item(subset, seed, 2 * i + 1)) for i in range(count)]


def things(item, *keys):
    return [item.metadata[key] for key in keys]


def sentences(text):
    return re.split(r"(?<=[.?!]) ", text)


def differing(first, second):
    """Indices at which two equally long sequences differ."""
    assert len(first) == len(second)
    return [place for place, (a, b) in enumerate(zip(first, second)) if a != b]


def forms(item):
    return [parse(text) for text in item.metadata["forms"]]


def names_in_order(item):
    """The agents in the order of the forms, each at its first occurrence."""
    names = []
    for form in forms(item):
        for key in ("agent", "other", "receiver", "sender"):
            name = getattr(form, key, "")
            if name and name not in names:
                names.append(name)
    return names


@pytest.mark.parametrize("subset", ONE_ANSWER)
def test_a_pair_shares_group_answer_and_labels_and_has_both_conditions(subset):
    for easy, hard in pairs(subset):
        assert easy.group == hard.group
        contrast = PLANS[subset].subset.matched
        assert (easy.condition, hard.condition) == PLANS[subset].conditions == (contrast.original, *contrast.perturbed)
        assert easy.answer == hard.answer
        assert things(easy, "n_steps", "operation", "language") == things(hard, "n_steps", "operation", "language")
        assert easy.prompt != hard.prompt


@pytest.mark.parametrize("subset", slow_but(PLANS, "counterbalanced-multiplicative", "distractor", "rate"))
def test_steps_and_answer_follow_from_the_mental_model(subset):
    for index in range(PAIRS):
        item = DATASET.item(subset, SEED, index)
        problem = Problem(tuple(forms(item)), parse(item.metadata["question"]))
        assert [str(step) for step in steps(model(problem))] == item.metadata["steps"]
        assert item.answer == str(answer(model(problem)))


@pytest.mark.parametrize("subset", COUNTERBALANCED)
def test_swapping_two_names_reverses_the_operation_in_a_counterbalanced_pair(subset):
    opposite = {"add": "subtract", "subtract": "add", "multiply": "divide", "divide": "multiply"}
    for easy, hard in pairs(subset):
        contrast = PLANS[subset].subset.matched
        assert (easy.condition, hard.condition) == PLANS[subset].conditions == (contrast.original, *contrast.perturbed)
        assert easy.group == hard.group
        assert hard.metadata["operation"] == opposite[easy.metadata["operation"]]
        assert easy.answer != hard.answer
        same = ("keyword", "templates", "pronouns", "question", "n_steps")
        assert things(easy, *same) == things(hard, *same)
        (place,) = differing(easy.metadata["forms"], hard.metadata["forms"])
        assert [place] == differing(sentences(easy.prompt), sentences(hard.prompt))
        comparison = forms(easy)[place]
        assert forms(hard)[place] == comparison._replace(agent=comparison.other, other=comparison.agent)
        assert (easy.metadata["trap"], hard.metadata["trap"]) == (int(hard.answer), int(easy.answer))
        # Exactly the same words, except that the two names and their possessives change places.
        words, others = (re.findall(r"\w+", item.prompt) for item in (easy, hard))
        assert sorted(words) == sorted(others)
        swapped = [(words[i], others[i]) for i in differing(words, others)]
        assert {frozenset(names) for names in swapped} == {frozenset((comparison.agent, comparison.other))}


def test_a_consistency_pair_differs_in_one_sentence_with_the_converse_relation():
    for easy, hard in pairs("consistency"):
        assert easy.metadata["steps"] == hard.metadata["steps"]
        assert things(easy, "templates", "pronouns", "question") == things(hard, "templates", "pronouns", "question")
        (place,) = differing(sentences(easy.prompt), sentences(hard.prompt))
        assert [place] == differing(easy.metadata["forms"], hard.metadata["forms"])
        consistent, inconsistent = forms(easy)[place], forms(hard)[place]
        assert inconsistent == consistent._replace(
            agent=consistent.other, other=consistent.agent, relation=INVERSE[consistent.relation]
        )
        new = set(names_in_order(easy)) - {n for form in forms(easy)[:place] for n in form if isinstance(n, str)}
        assert consistent.agent in new
        assert easy.metadata["question"].startswith(f"count({consistent.agent}, ")
        sign = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}[easy.metadata["operation"]]
        assert consistent.relation == sign
        assert sign == easy.metadata["steps"][place - 1].split()[1]
        assert easy.metadata["trap"] == hard.metadata["trap"] > 1
        assert easy.metadata["trap"] != int(easy.answer)
        # Character by character: everything before and after that sentence is the same.
        before, after = sentences(easy.prompt)[:place], sentences(easy.prompt)[place + 1 :]
        assert hard.prompt.startswith(" ".join([*before, ""]).lstrip())
        assert hard.prompt.endswith(" ".join(after))


@pytest.mark.parametrize("subset", ["consistency", *COUNTERBALANCED])
def test_the_opposite_operation_gives_a_whole_number_in_range_at_every_step(subset):
    for item in chain.from_iterable(pairs(subset)):
        place = next(at for at, kind in enumerate(item.metadata["comparisons"]) if kind != "none")
        turned = forms(item)
        turned[place] = turned[place]._replace(agent=turned[place].other, other=turned[place].agent)
        value, worked = solve(Problem(tuple(turned), parse(item.metadata["question"])))
        assert value == item.metadata["trap"] != int(item.answer)
        assert all(step.result.denominator == 1 and 2 <= step.result <= 999 for step in worked), item.id


@pytest.mark.parametrize("subset", ["carry", "counterbalanced-carry"])
def test_a_carry_pair_differs_only_in_digits(subset):
    for easy, hard in pairs(subset):
        for tag, start, end, other_start, other_end in SequenceMatcher(
            None, easy.prompt, hard.prompt, autojunk=False
        ).get_opcodes():
            if tag != "equal":
                changed = easy.prompt[start:end] + hard.prompt[other_start:other_end]
                assert changed.isdigit()
        assert re.sub(r"\d", "0", easy.prompt) == re.sub(r"\d", "0", hard.prompt)
        numbers = [*re.findall(r"\d+", easy.prompt + hard.prompt), easy.answer, hard.answer]
        assert [len(number) for number in numbers] == [3] * 6


def spilled(left, right):
    """Carries in the sum of two digit strings, as taught at school: column by column from the right."""
    count, carry = 0, 0
    for upper, lower in zip(left[::-1], right[::-1]):
        carry = 1 if int(upper) + int(lower) + carry >= 10 else 0
        count += carry
    return count


def borrowed(left, right):
    """Borrows in a difference, as taught at school: a column that is too small takes ten from its neighbour."""
    digits, count = [int(digit) for digit in left[::-1]], 0
    for place, digit in enumerate(map(int, right[::-1])):
        if digits[place] < digit:
            digits[place + 1] -= 1
            count += 1
    return count


@pytest.mark.parametrize("subset", ["carry", "counterbalanced-carry"])
def test_the_easy_problem_has_no_carry_and_the_hard_problem_one_or_two(subset):
    seen = set()
    for easy, hard in pairs(subset):
        for item in (easy, hard):
            left, sign, right, _, result = item.metadata["steps"][0].split()
            count = spilled(left, right) if sign == "+" else borrowed(left, right)
            assert item.metadata["carries"] == count
            assert str(eval_step(left, sign, right)) == result == item.answer
            seen.add((item.condition, sign, count))
    every = {(c, s, n) for s in "+-" for c, n in (("no-carry", 0), ("carry", 1), ("carry", 2))}
    # Two carries in a sum are rare if the difference of the same numbers, too, must be in range.
    assert seen | {("carry", "+", 2)} == every


def eval_step(left, sign, right):
    return int(left) + int(right) if sign == "+" else int(left) - int(right)


@pytest.mark.parametrize("subset", ["transfer-comparison", "counterbalanced-transfer"])
def test_transfers_and_comparisons_have_the_same_calculation_and_people(subset):
    for easy, hard in pairs(subset):
        assert easy.metadata["steps"] == hard.metadata["steps"]
        assert [form.quantity for form in forms(easy)] == [form.quantity for form in forms(hard)]
        assert len(names_in_order(easy)) == easy.metadata["n_steps"] + 1
        assert sorted(names_in_order(easy)) == sorted(names_in_order(hard))
        assert len(sentences(easy.prompt)) == len(sentences(hard.prompt))


def test_transfers_and_comparisons_name_the_same_people_in_the_same_order():
    for easy, hard in pairs("transfer-comparison"):
        assert easy.metadata["forms"][0] == hard.metadata["forms"][0]
        partners = [{form.receiver, form.sender} - {forms(easy)[0].agent} for form in forms(easy)[1:]]
        met, introduced = {forms(hard)[0].agent}, []
        for form in forms(hard)[1:]:
            introduced.append({form.agent, form.other} - met)
            met |= {form.agent, form.other}
        assert partners == introduced
        assert easy.metadata["question"].startswith(f"count({forms(easy)[0].agent}, ")
        assert hard.metadata["question"].startswith(f"count({introduced[-1].pop()}, ")


def test_both_problems_of_a_counterbalanced_transfer_pair_ask_about_the_same_agent():
    for easy, hard in pairs("counterbalanced-transfer"):
        assert easy.metadata["question"] == hard.metadata["question"]
        assert easy.metadata["question"].startswith(f"count({forms(easy)[0].agent}, ")


def test_a_distractor_pair_differs_in_one_sentence_that_one_problem_has_and_the_other_lacks():
    for easy, hard in pairs("distractor"):
        place = hard.metadata["distractor_at"]
        for key in ("forms", "templates", "pronouns", "comparisons"):
            with_it = hard.metadata[key]
            assert easy.metadata[key] == [*with_it[:place], *with_it[place + 1 :]]
        told = sentences(hard.prompt)
        assert sentences(easy.prompt) == [*told[:place], *told[place + 1 :]]
        assert easy.metadata["steps"] == hard.metadata["steps"]


def test_surface_forms_vary_one_thing_at_a_time():
    for number in range(60):
        made = [DATASET.item("surface-forms", SEED, 10 * number + at) for at in range(10)]
        assert [item.condition for item in made] == list(PLANS["surface-forms"].conditions)
        assert len({item.prompt for item in made}) == 10
        original = made[0]
        worded = ("templates", "pronouns")
        for item in made[1:]:
            kind = item.condition.partition("-")[0]
            given = [form.quantity for form in forms(item)]
            same_numbers = given == [form.quantity for form in forms(original)]
            same_names = names_in_order(item) == names_in_order(original)
            same_words = things(item, *worded) == things(original, *worded)
            assert (same_names, same_numbers) == (kind != "names", kind != "numbers")
            assert same_words or kind == "sentences"
            assert [step.split()[1] for step in item.metadata["steps"]] == [
                step.split()[1] for step in original.metadata["steps"]
            ]
            if kind == "numbers":
                assert NUMBER.sub("0", item.prompt) == NUMBER.sub("0", original.prompt)
            if kind == "names":
                assert not set(names_in_order(item)) & set(names_in_order(original))


@pytest.mark.parametrize("subset", slow_but(PLANS, "counterbalanced-multiplicative", "distractor", "rate"))
def test_every_name_and_every_entity_has_a_single_role(subset):
    for index in range(PAIRS):
        item = DATASET.item(subset, SEED, index)
        item_forms = forms(item)
        names = [
            name for form in item_forms for name in (getattr(form, "receiver", ""), getattr(form, "sender", "")) if name
        ]
        owners = {getattr(form, key) for form in item_forms for key in ("agent", "other") if hasattr(form, key)}
        partners = [name for name in names if name not in owners]
        assert len(partners) == len(set(partners)), item.prompt
        entities = [form.thing for form in item_forms] + [form.per for form in item_forms if hasattr(form, "per")]
        assert len({thing.entity for thing in entities}) == len(set(entities)) <= 3


def test_an_unknown_subset_and_a_negative_index_are_refused():
    with pytest.raises(
        UsageError, match=r"no subset 'consistent'\. Did you mean 'consistency'\? Known: counterbalanced-additive, "
    ):
        DATASET.item("consistent", 1, 0)
    with pytest.raises(UsageError, match="an index must be 0 or more, not -1"):
        DATASET.item("carry", 1, -1)
