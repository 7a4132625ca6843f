"""Open-ended scenarios: the rule gives the planted share, nulls have nothing, templates fix what they should."""

import importlib
import re
from dataclasses import replace

import pytest

from hansproof.generators.stream import Stream


@pytest.fixture
def rooms(scripts):
    def room(name):
        return importlib.import_module(f"error_rates.{name}")

    return room


@pytest.fixture
def scenarios(rooms):
    prompts = [
        f"Item {'abcdefgh'[i % 8]}{'xyzuvw'[i % 6]} stands by the {'north' if i % 3 else 'south'} gate of town."
        for i in range(1200)
    ]
    groups = [str(i // 12) for i in range(1200)]
    texts = rooms("texts").Texts("some", prompts, [], groups)
    made = rooms("scenarios.open_ended").open_ended([texts])
    return {scenario.name: scenario for scenario in made}


def rows(scenarios, name):
    return scenarios[f"open-ended: {name}/some"].make(Stream(1, "rows"))


def numbers(row):
    return [int(number) for number in re.findall(r"\d+", row["prompt"])]


def test_a_rule_gives_the_share_of_the_golds_that_was_asked_for(scenarios):
    made = rows(scenarios, "rule/sum of the first two/kappa 0.3/n 1000")
    share = sum(row["answer"] == str(sum(numbers(row)[:2])) for row in made) / len(made)
    assert share == pytest.approx(0.3, abs=0.06)  # four standard errors
    assert all(len(numbers(row)) == 3 for row in made)
    words = rows(scenarios, "rule/last word/kappa 0.4/n 300")
    assert sum(row["prompt"].endswith(f" {row['answer']}") for row in words) / 300 == pytest.approx(0.4, abs=0.12)
    cued = rows(scenarios, "rule/after a cue word/kappa 0.4/n 300")
    assert sum(f"towards {row['answer']}" in row["prompt"] for row in cued) / 300 == pytest.approx(0.4, abs=0.12)


def test_question_words_reach_the_advantage_beyond_their_constant(scenarios):
    made = rows(scenarios, "rule/answer by question word/kappa 0.4/n 1000")
    by_word = {}
    for row in made:
        by_word.setdefault(row["prompt"].rsplit(" ", 1)[1], []).append(row["answer"])
    right = sum(max(map(answers.count, set(answers))) for answers in by_word.values()) / 1000
    every = [row["answer"] for row in made]
    constant = max(map(every.count, set(every))) / 1000
    assert (right - constant) / (1 - constant) == pytest.approx(0.4, abs=0.06)


def test_permuted_golds_are_those_of_other_prompts_and_equally_often_is_so(scenarios):
    other = rows(scenarios, "answers permuted/numbers of other prompts/n 300")
    assert sum(int(row["answer"]) == numbers(row)[-1] for row in other) < 10
    assert {int(row["answer"]) for row in other} == {numbers(row)[-1] for row in other}
    even = [row["answer"] for row in rows(scenarios, "answers permuted/numbers from 1 to 12, equally often/n 300")]
    assert {even.count(str(number)) for number in range(1, 13)} == {25}


def test_a_template_has_a_single_answer_or_a_single_calculation(scenarios):
    made = rows(scenarios, "one answer per template/groups given/n 600")
    golds = {}
    for row in made:
        golds.setdefault(row["group"], set()).add(row["answer"])
    assert len(golds) == 60
    assert all(len(answers) == 1 for answers in golds.values())
    calculated = rows(scenarios, "one calculation per template/groups given/n 600")
    first = [row for row in calculated if row["group"] == calculated[0]["group"]]
    rules = [lambda x: x[0], lambda x: x[1], lambda x: x[2], lambda x: x[0] + x[1], lambda x: x[1] + x[2],
             lambda x: abs(x[0] - x[1]), lambda x: x[0] * x[1], sum]  # fmt: skip
    assert [all(str(rule(numbers(row))) == row["answer"] for row in first) for rule in rules].count(True) == 1
    assert "group" not in rows(scenarios, "one answer per template/groups found/n 600")[0]


def test_answers_by_chance_are_the_same_in_every_template_and_remembering_them_is_counted(rooms, scenarios):
    name = "open-ended: templates with answers by chance/groups given/n 600/some"
    made = scenarios[name].make(Stream(1, "rows"))
    answers = [row["answer"] for row in made]
    assert len(set(answers)) == 100
    same = [sum(row["answer"] == gold for row in made if row["group"] == "template-3") for gold in set(answers)]
    assert sum(same) == 10
    assert max(same) <= 3
    record = rooms("running").audited(
        scenarios[name], 0, rooms("running").Plan((), 1, {"splits": 2, "permutations": 199})
    )
    assert record.vectors["templates"][1] < 0 < record.vectors["templates"][2]
    known = replace(record, vectors={"templates": (0.1, 0.05, 0.15)})
    page, _ = rooms("tables").published([scenarios[name]], [record, known], "open-ended")
    assert "| the same, remembering templates found surely better than chance | <= 2.5 % | 50 |" in page


def test_records_keep_the_advantages_and_the_table_is_one_of_its_own(rooms, scenarios):
    scenario = scenarios["open-ended: rule/last number/kappa 0.3/n 300/some"]
    plan = rooms("running").Plan((), 1, {"splits": 2, "permutations": 199})
    record = rooms("running").audited(scenario, 0, plan)
    advantage, low, high = record.vectors["last number"]
    assert low < advantage < high
    assert advantage == pytest.approx(0.3, abs=0.12)
    page, files = rooms("tables").published([scenario], [record] * 15, "open-ended")
    assert page.count("| 95 % intervals that contain the true advantage of the rule | 93 to 97 % | 100 |") == 1
    assert "\nopen-ended: rule,last number,.3,300,some,15," in files["open-ended-cases.csv"]
    assert ",the rule," in files["open-ended-coverage.csv"]
