"""What is planted is there: answers in their shares, cues of their strength, groups of their sizes."""

import importlib
from collections import Counter

import pytest

from hansproof.generators.stream import Stream


@pytest.fixture
def rooms(scripts):
    def room(name):
        return importlib.import_module(f"error_rates.{name}")

    return room


def some_texts(rooms, groups=None, n=400):
    prompts = [f"Item {i} stands by the {'north' if i % 3 else 'south'} gate." for i in range(n)]
    return rooms("texts").Texts("some", prompts, ["yes", "no"] * (n // 2), groups)


def agreement(kappa, k):
    return kappa + (1 - kappa) / k


def test_balanced_answers_are_as_even_as_they_can_be_and_skewed_ones_four_fifths(rooms):
    planting, stream = rooms("scenarios.planting"), Stream(1)
    assert Counter(planting.even(10, 3, stream)) == {"yes": 4, "no": 3, "unclear": 3}
    assert Counter(planting.skewed(50, 3, stream)) == {"no": 40, "yes": 5, "unclear": 5}


@pytest.mark.parametrize(("k", "kappa"), [(2, 0.3), (4, 0.3), (3, 0.0), (2, 1.0)])
def test_a_perfect_reader_reaches_the_kappa_that_was_asked_for(rooms, k, kappa):
    planting = rooms("scenarios.planting")
    answers = planting.even(6000, k, Stream(1, "answers"))
    pointed = planting.hints(answers, k, kappa, Stream(1, "hints"))
    share = sum(planting.LABELS[label] == answer for label, answer in zip(pointed, answers, strict=True)) / 6000
    # Five standard errors are at most .033.
    assert share == pytest.approx(agreement(kappa, k), abs=0.033)


def test_synonyms_are_all_different_and_new_to_the_texts(rooms):
    planting = rooms("scenarios.planting")
    lists = planting.synonyms(2, 50, ["An old gate."], Stream(1))
    every = [word for words in lists for word in words]
    assert [len(words) for words in lists] == [50, 50]
    assert len(set(every)) == 100
    assert "old" not in every


def test_an_inserted_word_leaves_all_else_in_place(rooms):
    text = "One  two\nthree four."
    for repeat in range(20):
        longer = rooms("scenarios.planting").insert(text, "WORD", Stream(1).child(repeat))
        assert longer.replace(" WORD", "", 1) == text


@pytest.mark.parametrize("cue", ["one word", "10 synonyms", "50 synonyms", "length", "double blank", "capitals"])
def test_every_cue_of_full_strength_parts_the_answers(rooms, cue):
    planting = rooms("scenarios.planting")
    prompts = some_texts(rooms).prompts
    answers = planting.even(400, 2, Stream(1))
    made = planting.plant(cue, prompts, answers, 1.0, Stream(2))
    assert [row["answer"] for row in made] == answers
    read = {
        "one word": lambda before, after: tuple(sorted(set(after.split()) - set(before.split()))),
        "length": lambda before, after: len(after) > 1.5 * len(before),
        "double blank": lambda before, after: "  " in after,
        "capitals": lambda before, after: after[0].isupper(),
    }
    if "synonyms" in cue:
        seen = {answer: set() for answer in answers}
        for before, row in zip(prompts, made, strict=True):
            seen[row["answer"]] |= set(row["prompt"].split()) - set(before.split()) - {"gate", "gate."}
        assert not seen["yes"] & seen["no"]
        assert len(seen["yes"]) <= int(cue.split()[0])
    else:
        by_answer = {answer: set() for answer in answers}
        for before, row in zip(prompts, made, strict=True):
            by_answer[row["answer"]].add(read[cue](before, row["prompt"]))
        assert len(by_answer["yes"]) == len(by_answer["no"]) == 1
        assert by_answer["yes"] != by_answer["no"]


def test_a_template_has_one_answer_and_groups_are_shown_only_where_they_are_given(rooms):
    texts = some_texts(rooms, [str(i // 10) for i in range(400)])
    scenarios = {s.name: s for s in rooms("scenarios.groups").groups([texts]) if s.family == "one answer per template"}
    given = scenarios["one answer per template/equal sizes, groups given/n 600/some"].make(Stream(1))
    answers = {}
    for row in given:
        answers.setdefault(row["group"], set()).add(row["answer"])
    assert len(answers) == 40
    assert all(len(kinds) == 1 for kinds in answers.values())
    members = Counter(row["group"] for row in given)
    assert set(members.values()) == {10}
    # The texts that share a group are those that share one in the file: tens of numbers.
    pairs = {(row["group"], int(row["prompt"].split()[1]) // 10) for row in given}
    assert len(pairs) == 40
    hidden = scenarios["one answer per template/equal sizes, groups found/n 600/some"].make(Stream(1))
    assert all(set(row) == {"prompt", "answer"} for row in hidden)


def test_unequal_sizes_are_1_to_14_and_mostly_small(rooms):
    sizes = rooms("scenarios.groups").unequal_sizes(2000, Stream(1))
    assert (min(sizes), max(sizes)) == (1, 14)
    assert 3.5 < sum(sizes) / 2000 < 4.5  # (1 - .75**14) / .25 = 3.93


def test_tripled_rows_have_a_group_each_and_the_joined_pair_one_answer(rooms):
    scenarios = {(s.family, s.kappa): s for s in rooms("scenarios.nulls").nulls([some_texts(rooms)])}
    tripled = scenarios["duplicates", None].make(Stream(1))
    assert len({row["group"] for row in tripled}) == len(tripled) == 900
    assert set(Counter((row["prompt"], row["answer"]) for row in tripled).values()) == {3}
    pair = scenarios["one joined pair", 0.2].make(Stream(1))
    sizes = Counter(row["group"] for row in pair)
    assert sorted(sizes.values())[-2:] == [1, 2]
    assert len({row["answer"] for row in pair if sizes[row["group"]] == 2}) == 1


def test_a_rare_answers_word_occurs_at_its_rates(rooms):
    texts = some_texts(rooms, n=1000)
    [rare] = [s for s in rooms("scenarios.cues").cues([texts]) if "0.6 / 0.2" in s.name]
    shown = Counter()
    for repeat in range(3):
        for row in rare.make(Stream(1).child(repeat)):
            shown[row["answer"], len(row["prompt"].split()) > 7] += 1
    assert (shown["yes", True] + shown["yes", False]) / 3000 == 0.2
    # 600 and 2,400 items: five standard errors are .10 and .041.
    assert shown["yes", True] / 600 == pytest.approx(0.6, abs=0.1)
    assert shown["no", True] / 2400 == pytest.approx(0.2, abs=0.041)


@pytest.mark.parametrize(("subset", "count"), [("template-only", 100), ("long-slots", 40)])
def test_made_templates_have_as_many_items_as_asked_for(rooms, subset, count):
    templates = rooms("scenarios.groups").made_templates(subset)(Stream(1), 6)
    assert len(templates) == count
    assert {len(members) for members in templates} == {6}


def test_the_same_items_come_in_another_order_and_fresh_ones_are_others(rooms):
    running, catalogue = rooms("running"), rooms("catalogue")
    scenarios = catalogue.catalogue([some_texts(rooms)])
    same = next(s for s in scenarios if s.same_data and s.kappa == 0.25)
    first, second = (running.items(same, repeat, 1) for repeat in (0, 1))
    assert first != second
    assert sorted(map(str, first)) == sorted(map(str, second))
    fresh = next(s for s in scenarios if s.family == "cue: one word" and s.n == 300)
    assert running.items(fresh, 0, 1) == running.items(fresh, 0, 1)
    assert sorted(map(str, running.items(fresh, 0, 1))) != sorted(map(str, running.items(fresh, 1, 1)))


def test_names_of_scenarios_are_unique(rooms):
    texts = some_texts(rooms, [str(i // 10) for i in range(2000)], n=2000)
    scenarios = rooms("catalogue").catalogue([texts])
    assert len({s.name for s in scenarios}) == len(scenarios)
