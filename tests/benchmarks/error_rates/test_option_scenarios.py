"""Benchmarks with options whose cue is known: what is planted is there, and nothing else."""

import importlib
from collections import Counter

import pytest

from hansproof.generators.stream import Stream


@pytest.fixture
def rooms(scripts):
    def room(name):
        return importlib.import_module(f"error_rates.{name}")

    return room


@pytest.fixture
def scenarios(rooms):
    items = [(f"Which one is number {n}?", [f"thing {n} {k}" for k in "abcd"]) for n in range(1200)]
    texts = rooms("texts").Texts("some", [""] * 1200, [], None, items=items)
    return {scenario.name: scenario for scenario in rooms("scenarios.options").options([texts])}


def gold(row):
    return "ABCDE".index(row["answer"])


def marked(row, of):
    [place] = [place for place, text in enumerate(row["choices"]) if of(text)]
    return place


def test_a_perfect_reader_of_the_cue_has_the_kappa_that_is_named(scenarios):
    # Right in .3 + .7 / 4 = .475 of the items; over 4,000 items a standard error is .008.
    hits = []
    for repeat in range(4):
        rows = scenarios["options: one word/in one option per item/kappa 0.3/n 1000/some"].make(Stream(1).child(repeat))
        hits += [marked(row, lambda text: len(text.split()) > 3) == gold(row) for row in rows]
    assert sum(hits) / len(hits) == pytest.approx(0.475, abs=0.04)


def test_a_word_of_the_question_stands_in_one_option_of_each_made_item(scenarios):
    rows = scenarios["options: a word of the question/in one option per item/kappa 0.4/n 300/made: options"].make(
        Stream(3)
    )
    for row in rows:
        asked = set(row["prompt"].strip("?").split()) - {"Which", "goes", "with", "and"}
        assert sum(bool(asked & set(text.split())) for text in row["choices"]) == 1


def test_permuted_golds_stand_anywhere_and_sizes_differ(scenarios):
    rows = scenarios["options: golds permuted within items/k = 2 to 5/n 1000/made: options"].make(Stream(4))
    sizes = Counter(len(row["choices"]) for row in rows)
    assert set(sizes) == {2, 3, 4, 5}
    shares = Counter(gold(row) for row in rows if len(row["choices"]) == 5)
    # A fifth of about 250: a standard error is 6.
    assert all(abs(shares[place] - sizes[5] / 5) < 30 for place in range(5))


def test_a_set_has_one_right_option_wherever_it_stands(scenarios):
    rows = scenarios["options: one right option per set/shared options, groups given/n 300/some"].make(Stream(5))
    right, places = {}, {}
    for row in rows:
        right.setdefault(row["group"], set()).add(row["choices"][gold(row)])
        places.setdefault(row["group"], set()).add(gold(row))
    assert len(right) == 60
    assert all(len(texts) == 1 for texts in right.values())
    assert sum(len(of) > 1 for of in places.values()) > 50
    hidden = scenarios["options: one right option per set/shared options, groups found/n 300/some"].make(Stream(5))
    assert "group" not in hidden[0]


def test_the_second_place_is_gold_as_often_as_its_kappa_says(scenarios):
    rows = scenarios["options: a common position/the second/kappa 0.4/n 300/made: options"].make(Stream(6))
    # .4 + .6 / 4 = .55; a standard error of 300 is .029.
    assert sum(gold(row) == 1 for row in rows) / len(rows) == pytest.approx(0.55, abs=0.12)


def test_options_are_audited_as_options_and_counted_in_tables_of_their_own(rooms, scenarios):
    running = rooms("running")
    scenario = scenarios["options: one word/in one option per item/kappa 0.4/n 300/made: options"]
    plan = running.Plan((), 1, {"splits": 1, "permutations": 99, "folds": 3})
    record = running.audited(scenario, 0, plan)
    assert record.verdict in ("LEAKS", "TRACES", "INCONCLUSIVE")
    assert "question:word-1-presence" in record.vectors
    table = rooms("tables").aims(list(scenarios.values()), [record])
    assert table.splitlines()[2:] == []
    make = rooms("records").Record
    names = {"0.1": ["LEAKS", "TRACES"], "0.3": ["LEAKS", "INCONCLUSIVE"]}
    records = [
        make(f"options: one word/in one option per item/kappa {kappa}/n 300/some", i, verdict, "", 300, 1.0, {})
        for kappa, verdicts in names.items()
        for i, verdict in enumerate(verdicts)
    ]
    assert rooms("tables").aims(list(scenarios.values()), records).splitlines()[2:] == [
        "| options: LEAKS, true kappa .1 | <= 1 % | 50 | 1.3 to 98.7 | 2 | no |",
        "| options: LEAKS, true kappa .3, n = 300 |  | 50 | 1.3 to 98.7 | 2 |  |",
    ]


def test_real_items_are_those_that_the_audit_reads(rooms, tmp_path):
    import json

    path = tmp_path / "bench.jsonl"
    rows = [{"question": f"Which {n}?", "choices": [f"x {n}", f"y {n}", f"z {n}"], "answer": n % 3} for n in range(60)]
    rows[4]["choices"] = ["same", "same", "z"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    [texts] = rooms("texts").read_texts([str(path)])
    assert len(texts.items) == 59
    assert texts.items[3] == ("Which 3?", ["x 3", "y 3", "z 3"])


def test_a_passage_has_a_word_of_its_right_options_and_every_other_option_one_of_its_own(scenarios):
    rows = scenarios["options: one right option per set/a word of the passage, groups given/n 300/some"].make(Stream(7))
    words = Counter(word for row in rows for text in row["choices"] for word in text.split() if len(word) == 8)
    assert sorted(words.values()) == [1] * 900 + [5] * 60
    for row in rows:
        # Every option has three words of its own and the invented one: no length tells the right one.
        assert {len(text.split()) for text in row["choices"]} == {4}
        [word] = [word for word in row["choices"][gold(row)].split() if len(word) == 8]
        assert words[word] == 5
