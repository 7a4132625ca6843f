"""One part of each answer is audited as a label: by a pattern, or by the key of an object or a list."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.reading.task_kind import kind
from hansproof.audit.report.audit_sentences import command
from hansproof.audit.report.findings import ArrangedResult
from hansproof.audit.run import audit
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.registry import dataset

QUICK = {"splits": 1, "permutations": 199, "folds": 3, "groups": "none"}


def written(folder: Path, answers: list[object]) -> Path:
    path = folder / "b.jsonl"
    rows = [{"prompt": f"Puzzle number {n} of many.", "answer": answer} for n, answer in enumerate(answers)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def parts(path: Path, part: str) -> list[str]:
    return load(path, Columns(answer_part=part)).answers


@pytest.mark.parametrize(
    ("answer", "part", "label"),
    [
        ("A: knight; B: knave", r"B: (\w+)", "knave"),
        ("TFT", "^.(.)", "F"),
        ("3 + 4 = 7", "[-+*/]", "+"),
        ('{"final": {"label": "yes"}}', "key:final.label", "yes"),
        ("[true, false]", "key:1", "false"),
        ([True, False, None], "key:0", "true"),
        (["x", "y"], "key:-1", "y"),
        ({"label": 3}, "key:label", "3"),
        ({"label": "a-7"}, r'"label":"(\w)', "a"),
        ("Élan", "(.)lan", "É"),
    ],
)
def test_the_part_is_the_first_group_or_the_match_or_what_the_key_holds(
    tmp_path: Path, answer: object, part: str, label: str
) -> None:
    assert set(parts(written(tmp_path, [answer, answer]), part)) == {label}


def test_answers_without_the_part_are_left_out_counted_and_shown(tmp_path: Path) -> None:
    path = written(tmp_path, [*["A: yes", "A: no"] * 20, "who knows"])
    left_out = load(path, Columns(answer_part="A: (.+)")).left_out
    assert [(row.place, row.reason, row.detail) for row in left_out] == [
        ("line 41", "the answer lacks the part that --answer-part names", "'who knows'")
    ]
    with pytest.raises(InputError, match=r"41 of 41 rows are unusable .* lacks the part .*\('A: yes'\)|: 'A: yes'"):
        load(path, Columns(answer_part="B: (.+)"))
    with pytest.raises(InputError, match="it has no 'b'"):
        load(written(tmp_path, [{"a": 1}] * 3), Columns(answer="answer", answer_part="key:b"))


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("", "the answer part is empty"),
        ("key:", "name a key or a place after 'key:'"),
        ("key:a..b", "name a key or a place"),
        ("(", r"missing \): \(; patterns are those of RE2"),
        ("(?<=A)b", r"invalid perl operator: \(\?<="),
        (r"(a)\1", "patterns are those of RE2, without look-around and back-references"),
        ("x" * 1001, "1,001 characters; at most 1,000"),
    ],
)
def test_a_part_that_is_none_is_refused_before_anything_is_measured(tmp_path: Path, part: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parts(written(tmp_path, ["yes", "no"]), part)


def test_a_pattern_that_backtracks_elsewhere_takes_no_time_here(tmp_path: Path) -> None:
    path = written(tmp_path, ["a" * 1_000_000 + "b", "aa"])
    start = time.process_time()
    load(path, Columns(answer_part="(a+)+$"), max_left_out=0.5)
    assert time.process_time() - start < 20


def test_the_parts_of_structured_answers_are_audited_as_labels_and_the_report_says_which() -> None:
    rows = [
        {"question": f"{'Blue' if n % 2 else 'Red'} thing {n}?", "answer": {"colour": ["red", "blue"][n % 2], "n": n}}
        for n in range(120)
    ]
    result = audit(rows, answer_part="key:colour", **QUICK)  # type: ignore[arg-type]
    assert (result.verdict, result.settings.answer_part) == ("LEAKS", "key:colour")
    assert [label.label for label in result.labels] == ["red", "blue"]
    assert result.mapping.answer == "answer"
    assert "--answer-part key:colour" in command(result)
    assert ("answer part", "key:colour") in [(role.name, role.column) for role in ArrangedResult(result).roles]


def test_knights_and_knaves_become_labels(tmp_path: Path) -> None:
    family = dataset("knights-knaves")
    puzzles = [family.item("balanced", 7, index) for index in range(120)]
    rows = [{"prompt": puzzle.prompt, "answer": puzzle.answer} for puzzle in puzzles if puzzle.answer.startswith("A: ")]
    path = tmp_path / "puzzles.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = kind(load(path, Columns(answer_part=r"A: (\w+)")))
    assert len(rows) >= 40
    assert judged.name == "fixed"
    assert judged.reason.startswith("All answers come from the same 2 labels: ")


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [
        ({"text": ["Paris", "the city of Paris"], "answer_start": [3, 3]}, ("Paris", "the city of Paris")),
        ({"spans": ["3", "3", "three"], "types": ["number", "number", "span"]}, ("3", "three")),
        ({"number": "7", "date": {"day": "", "month": "", "year": ""}, "spans": []}, ("7",)),
        ({"number": "", "date": {"day": "4", "month": "July", "year": "1776"}, "spans": []}, ("4 July 1776",)),
        ({"number": "", "date": {}, "spans": ["Bears", "Lions"]}, ("Bears", "Lions")),
        ({"value": "Bern", "aliases": ["Berne", "Bern"]}, ("Bern", "Berne")),
        (["5", 5, None, "five"], ("5", "five")),
    ],
)
def test_every_accepted_answer_is_kept_and_the_first_is_the_label(
    tmp_path: Path, answer: object, accepted: tuple[str, ...]
) -> None:
    benchmark = load(written(tmp_path, [answer, "other"]))
    assert (benchmark.answers[0], (benchmark.accepted or [(benchmark.answers[0],)])[0]) == (accepted[0], accepted)
