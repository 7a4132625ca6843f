"""The audit of open-ended answers, from rows to verdict and report, on benchmarks of our own."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import hansproof
from hansproof.audit.reading.loading import load
from hansproof.audit.reading.task_kind import kind
from hansproof.audit.report.audit_document import render
from hansproof.audit.report.audit_screen import show, show_scan
from hansproof.audit.report.terminal import console_on
from hansproof.audit.result.document import decode, encode
from hansproof.audit.run import examine
from hansproof.audit.scale.folder import How, scan
from hansproof.audit.settings import make_settings
from hansproof.generators.jsonl import read_bytes
from hansproof.generators.registry import dataset
from hansproof.generators.stream import Stream

QUICK = {"splits": 2, "permutations": 199, "folds": 3}
RELEASES = Path(__file__).resolve().parents[3] / "datasets"
NAMES = ["Ada", "Ben", "Cora", "Dov", "Elsa", "Finn", "Greta", "Hugo", "Iris", "Jonas", "Kim", "Lars"]
THINGS = ["heron", "ladder", "piano", "bridge", "basket", "engine", "violin", "saddle", "window", "marble", "needle"]


def draws(item):
    stream = Stream(1, "open").child(item)
    return stream.child("numbers").sample(range(10, 900), 4), stream.child("names").sample(NAMES, 3), stream


def hidden(n=120):
    """Answers that no strategy gives: 7 a + 3 b - c + 2 d."""
    rows = []
    for item in range(n):
        (a, b, c, d), (name, *_), stream = draws(item)
        thing, other = stream.child("things").sample(THINGS, 2)
        question = f"{name} has {a} of the {thing} kind, {b} {other}, {c} and then {d}. What is the result?"
        rows.append({"question": question, "answer": 7 * a + 3 * b - c + 2 * d})
    return rows


def last(n=120):
    """Places, of which the last is always the gold."""
    rows = []
    for item in range(n):
        numbers, names, _ = draws(item)
        walks = [f"{name} went to room {number}{name[0]}." for name, number in zip(names, numbers, strict=False)]
        answer = [f"{numbers[2]}{names[2][0]}", f"room {numbers[2]}{names[2][0]}"]
        rows.append({"input": f"{' '.join(walks)} Where is {names[2]}?", "target": answer})
    return rows


def audit(rows, **options):
    return hansproof.audit(rows, **{**QUICK, "groups": "none", **options})


def way(result, name):
    return next(entry for entry in result.open_ended.strategies if entry.name == name)


def test_answers_that_no_strategy_gives_are_clean_and_the_verdict_says_what_was_tried():
    result = audit(hidden())
    assert result.verdict == "CLEAN"
    assert f"none of {len(result.open_ended.strategies)} blind strategies beats the best constant" in result.reason
    assert "others were not looked for" in result.reason
    assert all(entry.high < 0.2 for entry in result.open_ended.strategies)
    assert result.open_ended.solved == []


def test_the_last_word_of_an_extraction_task_leaks_and_it_is_said_to_be_one():
    result = audit(last())
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "last word before the question")
    assert way(result, "last word before the question").exact == 1.0
    assert result.open_ended.in_prompt == 120
    assert "a reader who only copies is a baseline" in render(result)
    assert result.open_ended.several == 120
    frame = result.to_frame()
    assert list(frame["name"]) == [way.name for way in result.open_ended.strategies]
    assert result.kappa in list(frame["advantage"])


def test_one_answer_that_is_right_for_a_third_is_imbalanced():
    rows = [{**row, "answer": 1234567} if n % 3 == 0 else row for n, row in enumerate(hidden())]
    result = audit(rows)
    assert result.verdict == "IMBALANCED"
    assert result.reason.startswith("always answering “1234567” is right for 33.3 % of the items")


def test_a_strategy_that_is_right_for_a_tenth_leaves_traces():
    rows = hidden(300)
    for row in rows[::10]:
        row["answer"] = int(row["question"].split()[2])
    result = audit(rows)
    assert (result.verdict, result.open_ended.strategy) == ("TRACES", "first number")


def test_few_groups_are_inconclusive_however_well_a_strategy_works():
    rows = [{**row, "group": n % 5} for n, row in enumerate(last())]
    result = audit(rows, groups="auto", group="group")
    assert result.verdict == "INCONCLUSIVE"
    assert "the items come in 5 groups: too few" in result.reason


def test_a_part_that_leaks_keeps_answers_that_no_strategy_gives_from_being_clean():
    rows = []
    for n, row in enumerate(hidden(150)):
        odd = "odd" if n % 2 else "even"
        rows.append({"question": f"{row['question']} It is {odd}.", "answer": f"{row['answer']}; {odd[0]}; {n}"})
    result = audit(rows)
    assert result.verdict == "INCONCLUSIVE"
    assert "a part of the answers can be predicted (word 2)" in result.reason
    # Not more items: the part itself is what to look at.
    assert [line.partition(":")[0] for line in result.advice] == ["Parts of the answers are labels (word 2)"]
    (part,) = result.open_ended.parts
    assert (part.verdict, part.option, part.labels) == (
        "LEAKS",
        r"^[\s,;:|]*(?:[^\s,;:|]+[\s,;:|]+){1}([^\s,;:|]+)",
        ["e", "o"],
    )


def test_worked_solutions_are_audited_by_their_last_line():
    rows = [{**row, "answer": f"First {row['answer']} is what we get.\n#### {row['answer']:,}"} for row in hidden()]
    result = audit(rows)
    assert (result.verdict, result.open_ended.mark, result.open_ended.answers) == ("CLEAN", "####", "numbers")
    assert any("what follows '####' is audited" in note for note in result.notes)


def test_neither_the_order_of_the_rows_nor_a_second_run_changes_a_byte():
    rows = [{**row, "id": n} for n, row in enumerate(last(90))]
    first, again, turned = (audit(list(source), id="id", name="b") for source in (rows, rows, rows[::-1]))
    assert encode(first) == encode(again)
    places = [item.place for item in turned.open_ended.solved]
    assert places == [f"row {91 - int(item.place.split()[1])}" for item in first.open_ended.solved]
    assert _without_places(first.open_ended) == _without_places(turned.open_ended)
    assert first.reason == turned.reason


def _without_places(record):
    solved = [msgspec.structs.replace(item, place=None) for item in record.solved]
    return msgspec.structs.replace(record, solved=solved)


def test_open_asks_for_strategies_although_there_are_few_answers():
    rows = [{"question": f"{4 + n % 3} and {n % 2} on day {n}?", "answer": 4 + n % 3 + n % 2} for n in range(90)]
    result = audit(rows, task="open")
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "sum of the first two")
    assert kind(load(rows)).name == "fixed"


def test_the_papers_protocol_knows_labels_only():
    result = hansproof.audit(hidden(60), protocol="paper")
    assert result.verdict == "NOT ASSESSED"
    assert "The paper's protocol knows labels only" in result.reason


def test_what_was_asked_for_and_changes_nothing_is_noted():
    noted = "not used: trees, solver, because answers are open-ended, and no probe is fitted"
    options = {"permutations": 99, "splits": 1, "folds": 3, "workers": 1}
    assert noted in hansproof.audit(hidden(60), trees=True, solver="scikit-learn", **options).notes
    assert not any(note.startswith("not used") for note in hansproof.audit(hidden(60), **options).notes)


def test_every_report_shows_the_strategies_and_the_json_comes_back(capsys):
    result = audit(last())
    assert decode(encode(result)) == result
    show(result, console_on())
    text = capsys.readouterr().out
    page = render(result)
    for words in ("last word before the question", "gold answer stands in the prompt", "100.0 %"):
        assert words.lower() in text.lower()
        assert words.lower() in page.lower()
    assert "Items that “last word before the question” gets right" in text


def test_what_strangers_write_is_shown_and_never_acts():
    rows = [{"question": f"{row['input']} <script>\u202e", "answer": f"<b>{n}\u202e"} for n, row in enumerate(last(60))]
    page = render(audit(rows))
    assert "<script>" not in page
    assert "<b>1" not in page
    assert "\u202e" not in page


WORDS = RELEASES / "word-problems" / dataset("word-problems").version


def published(subset, strategy):
    """The share of right answers of a blind strategy of the family, by its manifest."""
    manifest = json.loads((WORDS / "manifest.json").read_bytes())
    (entry,) = (entry for entry in manifest["subsets"] if entry["name"] == subset)
    (blind,) = (blind for blind in entry["blind"] if (blind["strategy"], blind["part"]) == (strategy, "answer"))
    return blind["share"]


@pytest.mark.parametrize(("strategy", "own"), [("sum", "sum"), ("difference of the first two", "difference")])
def test_shares_agree_with_those_of_our_own_manifest(strategy, own):
    result = hansproof.audit(WORDS / "carry.jsonl.gz", **QUICK)
    assert result.verdict == "LEAKS"
    assert way(result, strategy).exact == pytest.approx(published("carry", own), abs=0.0005)


def test_the_sum_of_a_word_problem_is_what_its_own_blind_strategy_gives():
    from hansproof.audit.tasks.open_answers.prompt_words import read
    from hansproof.audit.tasks.open_answers.strategies import calculated

    rows = [json.loads(line) for line in read_bytes(WORDS / "transfer-comparison.jsonl.gz").splitlines()]
    readings = read([row["prompt"] for row in rows])
    sums = [str(calculated("sum", [quantity.value for quantity in reading.numbers], 0)) for reading in readings]
    right = sum(guess == row["answer"] for guess, row in zip(sums, rows, strict=True))
    # The reader of prompts takes the hour in "shortly after nine" for a number, the family does not.
    assert right / len(rows) == pytest.approx(published("transfer-comparison", "sum"), abs=0.015)


def test_what_was_learnt_is_told():
    rows = [{**row, "target": row["target"][0]} for row in last()]
    result = audit(rows)
    assert result.open_ended.learnt_by in ("place", "after a cue word")
    first = result.open_ended.learnt[0]
    assert (first.right, first.items) == (120, 120)
    assert any(first.cue in line for line in render(result).splitlines())


def test_there_is_one_guess_per_item_in_source_order():
    examination = examine(last(60), settings=make_settings(**QUICK, groups="none"))
    scores = examination.item_scores()
    assert [score.id for score in scores] == [f"row {n}" for n in range(1, 61)]
    assert all(score.correct and score.vector == "last word before the question" for score in scores)


def test_a_folder_shows_the_best_strategy(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    for name, rows in (("last", last(40)), ("hidden", hidden(40))):
        lines = [json.dumps(row) + "\n" for row in rows]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    files = sorted(map(str, tmp_path.glob("*.jsonl")))
    how = How(settings=make_settings(**QUICK, groups="none"))
    show_scan(scan(str(tmp_path), dict.fromkeys(files, how)), console_on())
    shown = capsys.readouterr().out
    assert "last word befor" in shown
    assert "1.00*" in shown
    assert "(open-ended answers: advantage over the best constant)" in " ".join(shown.split())


def test_more_items_than_are_needed_are_sampled_in_whole_groups(monkeypatch):
    from hansproof.audit.tasks.open_answers import examination

    monkeypatch.setattr(examination, "MOST", 90)
    rows = [{**row, "group": n // 2} for n, row in enumerate(last(120))]
    result = audit(rows, groups="auto", group="group")
    assert any("strategies were tried on 90 of 120 items" in note for note in result.notes)
    assert result.groups.count == 60
    assert result.open_ended.in_prompt == 90


def code(n):
    lines = [f"    total = {n}", "    for value in x:", f"        total += value * {n}", "    return total"]
    return {"task_id": f"t/{n}", "prompt": f"def f{n}(x): # item {n * 3}", "canonical_solution": "\n".join(lines)}


def test_long_answers_are_not_assessed_unless_a_strategy_gives_them():
    rows = [code(n) for n in range(40)]
    result = audit(rows)
    assert result.verdict == "NOT ASSESSED"
    assert result.reason.startswith("Half of the answers have 14 words or more (code, translations, summaries,")
    assert "--answer-part" in result.reason
    copied = [{"prompt": row["canonical_solution"], "answer": row["canonical_solution"]} for row in rows]
    assert (audit(copied).verdict, audit(copied).open_ended.strategy) == ("LEAKS", "whole prompt")


SHAPES = {
    "DROP": ({"passage": "{a} and {b} points.", "question": "How many in total, {n}?"}, "answers_spans",
             lambda a, b: {"spans": [str(a + b)], "types": ["number"]}),
    "SQuAD": ({"context": "{a} and {b} points, {n}.", "question": "How many in total?"}, "answers",
              lambda a, b: {"text": [str(a + b), f"{a + b} points"], "answer_start": [0, 0]}),
    "TriviaQA": ({"question": "{n}: {a} plus {b} is?"}, "answer",
                 lambda a, b: {"value": str(a + b), "aliases": [f"{a + b}.0"], "type": "Number"}),
    "GSM8K": ({"question": "{n}: {a} plus {b} is?"}, "answer",
              lambda a, b: f"{a}+{b} = <<{a}+{b}={a + b}>>\n#### {a + b:,}"),
    "MATH": ({"problem": "{n}: ${a} + {b}$ is?"}, "solution", lambda a, b: f"It is $\\boxed{{{a + b}}}$."),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_the_shapes_of_known_benchmarks_are_read_untold(shape):
    texts, column, gold = SHAPES[shape]
    rows = []
    for n in range(60):
        (a, b, *_), names, _ = draws(n)
        filled = {name: text.format(a=a, b=b, n=" ".join(names)) for name, text in texts.items()}
        rows.append({**filled, column: gold(a, b)})
    result = audit(rows)
    assert (result.verdict, way(result, "sum").exact) == ("LEAKS", 1.0)


def two_way(n=300, first=0.5):
    """Who has more, of two named in the question; `first` is the share of golds that are named first."""
    rows = []
    for item in range(n):
        numbers, names, stream = draws(item)
        told = f"{names[0]} has {numbers[0]} and {names[1]} has {numbers[1]} of the lot"
        gold, other = names[:2] if stream.child("gold").chance(1, 2) else names[1::-1]
        pair = (gold, other) if stream.child("order").below(1000) < 1000 * first else (other, gold)
        rows.append({"question": f"{told}. Who would have more, {pair[0]} or {pair[1]}?", "answer": gold})
    return rows


def test_one_of_two_alternatives_is_right_by_chance_and_no_shortcut():
    result = audit(two_way(), task="open")
    record = result.open_ended
    assert (record.offered, record.chance, record.constant_exact < 0.15) == (300, pytest.approx(0.5), True)
    assert result.verdict in ("CLEAN", "INCONCLUSIVE")  # against the best constant both would leak
    assert way(result, "first alternative").advantage == pytest.approx(2 * way(result, "first alternative").exact - 1)
    assert "guessing among the alternatives that the questions offer" in result.reason
    assert "one of the alternatives that 300 questions offer" in render(result)


def test_the_place_of_the_right_alternative_is_a_shortcut():
    result = audit(two_way(first=0.8), task="open")
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "first alternative")
    assert "against 50.0 % for guessing among the alternatives that the questions offer" in result.reason
    assert result.advice[0].startswith("Let the right alternative stand first and last equally often")


def test_the_word_of_the_right_alternative_is_a_shortcut_wherever_it_stands():
    pairs = [("more", "less"), ("hot", "cold"), ("fast", "slow"), ("high", "low"), ("wet", "dry"), ("old", "young")]
    rows = []
    for n, row in enumerate(two_way()):
        pair = pairs[n % 6]
        text = f"{row['question'].split('. ')[0]}. Would that be {pair[n // 6 % 2]} or {pair[1 - n // 6 % 2]}?"
        rows.append({"question": text, "answer": pair[1 if n % 7 else 0]})  # the second of a pair for six of seven
    result = audit(rows, task="open")
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "alternative")
    assert result.open_ended.chance == pytest.approx(0.5)
    assert way(result, "alternative").exact == pytest.approx(6 / 7, abs=0.02)
