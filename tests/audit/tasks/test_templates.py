"""Templates that tell the answer: remembered in random folds, useless in grouped ones, and told from leaks."""

import numpy as np
import pytest

import hansproof
from hansproof.audit.report.audit_document import render
from hansproof.audit.result.document import decode, encode
from hansproof.audit.tasks.open_answers.attempts import without_the_best
from hansproof.generators.stream import Stream

QUICK = {"splits": 2, "permutations": 199, "folds": 3}
NAMES = ["Ada", "Ben", "Cora", "Dov", "Elsa", "Finn", "Greta", "Hugo", "Iris", "Jonas"]
WORDS = [
    "heron", "ladder", "piano", "bridge", "basket", "engine", "violin", "saddle", "window", "marble", "needle", "arch",
    "barrel", "candle", "drum", "feather", "guitar", "hammer", "island", "jacket", "kettle", "lantern", "mirror", "oar",
]  # fmt: skip


def frame(template, stream):
    """The wording of one template: nine words of its own."""
    own = Stream(3, "frames").child(template).sample(WORDS, 9)
    name, number = stream.child("name").choice(NAMES), stream.child("number").below(900)
    return f"{name} {' '.join(own[:5])} {number} {' '.join(own[5:])}"


def answers_by_template(templates=40, each=6):
    """The answer is the same throughout a template, and differs between templates."""
    rows = []
    for template in range(templates):
        for item in range(each):
            text = frame(template, Stream(4, "items").child(template).child(item))
            rows.append({"prompt": text, "answer": f"{WORDS[template % 24]} {template}", "group": template})
    return rows


def calculations_by_template(templates=40, each=6):
    """Three numbers, and in each template always the same of eight calculations with them."""
    rules = [
        lambda a, b, c: a, lambda a, b, c: a + b, lambda a, b, c: b * c, lambda a, b, c: a + b + c,
        lambda a, b, c: abs(a - b), lambda a, b, c: abs(b - c), lambda a, b, c: a * b, lambda a, b, c: b + c,
    ]  # fmt: skip
    rows = []
    for template in range(templates):
        for item in range(each):
            stream = Stream(5, "items").child(template).child(item)
            numbers = stream.child("numbers").sample(range(1000, 9000), 3)
            words = Stream(3, "frames").child(template).sample(WORDS, 6)
            text = " ".join(f"{word} {number}" for word, number in zip(words, numbers, strict=False))
            answer = rules[template % 8](*numbers)
            rows.append({"prompt": f"{text} {' '.join(words[3:])}", "answer": answer, "group": template})
    return rows


def test_answers_that_follow_from_the_template_are_neither_leaks_nor_clean():
    result = hansproof.audit(answers_by_template(), **QUICK, task="open")
    templates = result.open_ended.templates
    assert result.verdict == "TEMPLATE-BOUND"
    assert (templates.how, templates.count, templates.effective) == ("groups", 40, pytest.approx(40))
    assert templates.exact > 0.95
    assert templates.over_others > 0.5
    assert "whoever has seen other items of a template can answer: the most common answer" in result.reason
    assert "With each template kept together (40 groups), no strategy comes near that" in result.reason
    assert decode(encode(result)) == result
    assert "the templates are 40 groups, with 100 % of the items" in render(result)


def test_calculations_that_follow_from_the_template_are_template_bound_too():
    result = hansproof.audit(calculations_by_template(), **QUICK)
    assert result.verdict == "TEMPLATE-BOUND"
    assert result.open_ended.templates.name == "rule by template"
    # Each calculation is right in an eighth of the templates, so none of them comes near that.
    assert max(way.exact for way in result.open_ended.strategies) < 0.2


def test_a_rule_that_holds_in_all_templates_leaks_whatever_templates_add():
    rows = calculations_by_template()
    for row in rows:
        row["answer"] = row["prompt"].split()[1]
    result = hansproof.audit(rows, **QUICK)
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "first number")
    assert result.open_ended.clusters
    assert all(check.held for check in result.open_ended.clusters)
    assert "“first number” that is left without texts of similar wording" in render(result)


def test_templates_that_nobody_declared_are_found_as_clusters():
    rows = [{**row, "group": n} for n, row in enumerate(answers_by_template())]
    result = hansproof.audit(rows, **QUICK, task="open", group="group")
    assert result.verdict == "TEMPLATE-BOUND"
    assert any(not check.held for check in result.open_ended.clusters) or result.open_ended.templates.how == "clusters"


def test_answers_without_templates_have_no_template_check():
    rows = [{"prompt": frame(n, Stream(6).child(n)), "answer": f"{WORDS[n % 24]}{n}"} for n in range(90)]
    result = hansproof.audit(rows, **QUICK, groups="none")
    assert result.open_ended.templates is None
    assert result.open_ended.clusters == []


def test_without_the_best_cluster():
    # Right in all of cluster 0, in half of cluster 1 and never in cluster 2; the constant is right once in cluster 2.
    right = np.array([1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0], dtype=float)
    constant = np.array([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], dtype=float)
    clusters = np.repeat([0, 1, 2], 4)
    # Without cluster 0: 2 and 1 of 8, (.25 - .125) / .875
    assert without_the_best(right, constant, clusters) == pytest.approx(0.125 / 0.875)
    assert np.isnan(without_the_best(right, constant, np.zeros(12, dtype=np.int64)))


def test_pairs_that_share_their_answer_are_no_templates():
    rows = answers_by_template(templates=60, each=2)
    result = hansproof.audit(rows, **QUICK, task="open")
    assert result.groups.count == 60
    assert result.verdict != "TEMPLATE-BOUND"
    # Four texts are: the same with twice as many of each.
    assert hansproof.audit(answers_by_template(templates=60, each=4), **QUICK, task="open").verdict == "TEMPLATE-BOUND"
