"""Integers of hundreds of digits where a log has its marks and likelihoods: no float holds them, and none is needed."""

import json

import pytest
from click.testing import CliRunner

from hansproof.audit.harnesses.log_values import as_number, as_verdict
from hansproof.command_line import command_line

DIGITS = [308, 309, 400, 4300]


def log(path, mark):
    """Twenty replies in a JSON list, all right; the mark of the fourth is `mark`."""
    rows = [
        {"prompt": f"Is {n} even?", "reply": "no" if n % 2 else "yes", "answer": "no" if n % 2 else "yes", "correct": 1}
        for n in range(20)
    ]
    rows[3]["correct"] = mark
    path.write_text(json.dumps(rows))
    return str(path)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_huge_integer_is_no_verdict(digits, sign):
    assert as_verdict(sign * int("9" * digits)) is None


def test_ones_and_zeros_of_either_type_are_verdicts_and_halves_are_none():
    assert [as_verdict(mark) for mark in (1, 1.0, 0, 0.0, -0.0)] == [True, True, False, False, False]
    assert [as_verdict(mark) for mark in (0.5, 2, float("nan"), float("inf"))] == [None] * 4


def test_a_number_is_one_that_a_float_holds():
    assert [as_number(value) for value in (2, -1.5, int("9" * 308))] == [2.0, -1.5, 1e308]
    assert [as_number(value) for value in (int("9" * 309), float("nan"), True, "1", None)] == [None] * 5


@pytest.mark.parametrize("digits", DIGITS)
def test_a_reply_whose_mark_is_a_huge_integer_is_named_and_in_no_accuracy_of_the_harness(tmp_path, digits):
    done = CliRunner().invoke(command_line(), ["score", log(tmp_path / "log.json", int("9" * digits))])
    assert done.exit_code == 0, done.output
    assert "note: 1 of 20 replies have a mark of a harness that is neither right nor wrong" in done.output
    assert "log.json: row 4: '9999" in done.output


def test_beyond_what_python_converts_the_line_is_named(tmp_path):
    path = log(tmp_path / "log.json", 7)
    text = (tmp_path / "log.json").read_text().replace('"correct": 7', '"correct": ' + "9" * 4301)
    (tmp_path / "log.json").write_text(text)
    done = CliRunner().invoke(command_line(), ["score", path])
    assert (done.exit_code, done.stderr) == (2, f"error: {path}: line 1: has an integer of more than 4,300 digits\n")
