"""Templates that tell the answer: remembered in random folds, useless in grouped ones, and told from leaks."""

import pytest

import hansproof
from hansproof.audit.report.audit_document import render
from hansproof.audit.result.document import decode, encode
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
    assert "whoever has seen other items of a template can answer: the answer, place or calculation" in result.reason
    assert "With each template kept together (40 groups), no strategy comes near that" in result.reason
    assert decode(encode(result)) == result
    assert "the templates are 40 groups, with 100 % of the items" in render(result)


def test_calculations_that_follow_from_the_template_are_template_bound_too():
    result = hansproof.audit(calculations_by_template(), **QUICK)
    assert result.verdict == "TEMPLATE-BOUND"
    assert result.open_ended.templates.exact > 0.9
    # Each calculation is right in an eighth of the templates, so none of them comes near that.
    assert max(way.exact for way in result.open_ended.strategies) < 0.2


def test_a_rule_that_holds_in_all_templates_leaks_whatever_templates_add():
    rows = calculations_by_template()
    for row in rows:
        row["answer"] = row["prompt"].split()[1]
    result = hansproof.audit(rows, **QUICK)
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "first number")
    assert result.open_ended.clusters == []  # what learns nothing cannot remember a text


def test_what_learns_is_taught_without_similar_texts_before_it_is_a_leak():
    # Two names, of which the one after `beside` is right, in six frames.
    rows = []
    for n in range(120):
        stream = Stream(8).child(n)
        (first, second), words = (
            stream.child("names").sample(NAMES, 2),
            Stream(3, "frames").child(n % 6).sample(WORDS, 6),
        )
        told = [f"with {first}{n}", f"beside {second}{n * 3}"]
        told = told[:: -1 if stream.child("order").chance(1, 2) else 1]
        text = f"{' '.join(words[:3])} {told[0]} {' '.join(words[3:])} {told[1]} went off"
        rows.append({"prompt": text, "answer": f"{second}{n * 3}"})
    result = hansproof.audit(rows, **QUICK)
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "after a cue word")
    assert result.open_ended.clusters
    assert all(check.held and check.vector == "after a cue word" for check in result.open_ended.clusters)
    assert "“after a cue word” that is left without texts" in render(result)


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


def test_pairs_that_share_their_answer_are_no_templates():
    rows = answers_by_template(templates=60, each=2)
    result = hansproof.audit(rows, **QUICK, task="open")
    assert result.groups.count == 60
    assert result.verdict != "TEMPLATE-BOUND"
    # Four texts are: the same with twice as many of each.
    assert hansproof.audit(answers_by_template(templates=60, each=4), **QUICK, task="open").verdict == "TEMPLATE-BOUND"
