"""Where an answer is a set of options, its letters are right together, and the harness alone says whether they are."""

import json
from random import Random

import made_logs
import pytest

from hansproof import score
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.report.study_reading import notes_of_all

CITIES = ["Rome", "Paris", "Berlin", "Madrid"]
PLAN = {"steps": [{"solver": "multiple_choice", "params": {"cot": False, "multiple_correct": True}}]}


def said_and_judged():
    """(target, reply, verdict) of 40 questions, as `choice` of inspect_ai 0.3.285 marks them: sets are compared."""
    draws = Random(9)
    for number in range(40):
        target = ["A", "C"] if number % 2 else ["B"]
        said = target if draws.random() < 0.75 else draws.choice([["A"], ["B"], ["A", "B"], ["C"]])
        yield target, said, set(said) == set(target)


def sets_log(path, plan=PLAN, scorer="choice", targets=list):
    samples = [
        made_logs.inspect_sample(
            (n, f"Which cities fit clue {n}?", targets(target), f"ANSWER: {','.join(said)}", right)
        )
        | {"choices": CITIES, "scores": {scorer: {"value": "C" if right else "I", "answer": ", ".join(said)}}}
        for n, (target, said, right) in enumerate(said_and_judged(), 1)
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "sets", "model": "m"}, "plan": plan, "samples": samples}
    path.write_text(json.dumps(log))
    return path


@pytest.mark.parametrize(
    ("plan", "targets"), [(PLAN, list), ({}, list), (PLAN, "".join), (None, "".join), ({"steps": [3]}, list)]
)
def test_sets_are_judged_by_the_harness_and_never_taken_for_alternatives(tmp_path, plan, targets):
    path = sets_log(tmp_path / "log.json", plan, targets=targets)
    assert {(reply.golds, reply.choices) for reply in read_replies(path)} == {((), ())}
    right = sum(right for *_, right in said_and_judged())
    assert right == 30
    for judged in ("harness", "reply"):
        (report,) = reports = score(path, judged=judged)
        line = report.lines[0]
        assert (line.right.hits, line.items, line.unclear, line.missing) == (right, 40, 0, 0)
    notes = notes_of_all(reports, reports.joined)
    assert any("its answers are sets of options, which are not read" in note for note in notes)
    assert any("the verdicts of the harness count" in note for note in notes)


def test_the_header_of_an_archive_says_it_too(tmp_path):
    samples = json.loads(sets_log(tmp_path / "log.json").read_text())["samples"]
    header = {"version": 2, "status": "success", "eval": {"task": "sets", "model": "m"}, "plan": PLAN}
    path = made_logs.inspect_archive(tmp_path / "log.eval", samples[::2], header=header)
    assert {reply.golds for reply in read_replies(path)} == {()}  # though each of these has one right option


def test_several_targets_of_other_scorers_are_alternatives(tmp_path):
    path = sets_log(tmp_path / "log.json", {}, scorer="match")
    assert {reply.golds for reply in read_replies(path)} == {("Rome", "Berlin"), ("Paris",)}
    single = sets_log(tmp_path / "one.json", {}, targets=lambda target: target[:1])
    assert {reply.golds for reply in read_replies(single)} == {("Rome",), ("Paris",)}


def scored(path, *marks, listed=()):
    rows = [(f"q{n}", f"What is {n}?", "1", "1", True) for n in range(len(marks))]
    samples = [
        made_logs.inspect_sample(row) | {"scores": {name: {"value": value} for name, value in mark.items()}}
        for row, mark in zip(rows, marks, strict=True)
    ]
    log = json.loads(made_logs.inspect_log(path, samples).read_text())
    log["eval"]["scorers"] = [{"name": name} for name in listed]
    path.write_text(json.dumps(log))
    read = read_replies(path)
    replies = list(read)
    return [reply.judged for reply in replies], [said.removeprefix(f"{path}: ") for said in replies[0].about]


def test_one_scorer_marks_a_whole_log_and_the_others_are_named(tmp_path):
    path = tmp_path / "log.json"
    marks = [{"f1": 1.0, "match": "I"}, {"f1": 0.4, "match": "C"}, {"f1": 0.0, "match": "C"}]
    note = "it has 2 scorers: the verdicts are those of match, and f1 is not used"
    assert scored(path, *marks) == ([False, True, True], [note])
    both = [{"includes": "C", "match": "I", "other": 0.5}] * 2
    said = "it has 3 scorers: the verdicts are those of {}, and {} are not used"
    assert scored(path, *both) == ([True, True], [said.format("includes", "match, other")])
    # The run lists them in its own order, the samples by name.
    assert scored(path, *both, listed=("match", "includes")) == (
        [False, False], [said.format("match", "includes, other")],
    )  # fmt: skip
    graded = [{"a": "P", "b": 0.5}, {"a": "P", "b": "C"}]
    assert scored(path, *graded) == ([None, True], ["it has 2 scorers: the verdicts are those of b, and a is not used"])
    assert scored(path, {"match": "C"}, {"match": "I"}) == ([True, False], [])
