"""The spread of answers over the surface forms of a problem: worked numbers, Cochran's Q, and what is shown."""

import json
from dataclasses import replace
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from statsmodels.stats.contingency_tables import cochrans_q

from hansproof.audit.models.scores import measured_spread, spreads
from hansproof.audit.replies.judged_reply import outcome
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.word_problems.dataset import DATASET

FORMS = 10
RIGHTS = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]], dtype=np.bool_)


def spread_of(rights):
    return measured_spread(rights, "s", "all", ["original", *(f"names-{n}" for n in range(1, rights.shape[1]))])


def test_worked_numbers():
    worked = spread_of(RIGHTS)
    # Right by form: 4, 3, 2 and 1 of 5; by problem: 4, 2, 0, 1 and 3 of 4.
    assert (worked.problems, worked.accuracy, worked.lowest, worked.highest) == (5, 0.5, 0.2, 0.8)
    assert worked.deviation == pytest.approx(np.sqrt(0.2 / 3))  # .3^2 + .1^2 + .1^2 + .3^2 = .2
    assert worked.within == pytest.approx((0 + 1 / 4 + 0 + 3 / 16 + 3 / 16) / 5 * 4 / 3)
    assert worked.independent == 0.25
    assert worked.mixed == 0.6


def test_q_is_that_of_statsmodels():
    stream = np.random.default_rng(1)
    for rights in (RIGHTS, stream.random((40, 7)) < 0.6):
        theirs = cochrans_q(rights.astype(int))
        ours = spread_of(rights)
        assert (ours.cochran_q, ours.p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))


def test_forms_that_never_matter_have_no_variance_and_no_test():
    steady = spread_of(np.array([[1, 1, 1], [0, 0, 0]], dtype=np.bool_))
    assert (steady.within, steady.mixed, steady.deviation) == (0, 0, 0)
    assert isnan(steady.cochran_q)
    assert isnan(steady.p)


def test_independent_answers_have_the_variance_that_is_said_of_them():
    stream = np.random.default_rng(2)
    within = [spread_of(stream.random((100, 10)) < 0.7).within for _ in range(50)]
    assert np.mean(within) == pytest.approx(0.7 * 0.3, abs=0.003)


def outcomes(wrong=(), missing=()):
    """Ten problems in ten forms, all right but those at `wrong`: (problem, form)."""
    items = [DATASET.item("surface-forms", 3, index) for index in range(10 * FORMS)]
    made = []
    for index, item in enumerate(items):
        place = divmod(index, FORMS)
        reply = None if place in missing else "7777" if place in wrong else item.answer
        made.append(outcome(item, reply, DATASET.scorer))
    return made


def test_each_thing_that_is_varied_has_a_line_of_its_own():
    every, names, numbers, sentences = spreads(outcomes(wrong=[(0, 1), (0, 2), (4, 9)]), DATASET)
    assert [spread.varied for spread in (every, names, numbers, sentences)] == ["all", "names", "numbers", "sentences"]
    assert names.forms == ("original", "names-1", "names-2", "names-3")
    assert len(every.forms) == FORMS
    assert [spread.mixed for spread in (every, names, numbers, sentences)] == [0.2, 0.1, 0, 0.1]
    assert names.within == pytest.approx(0.25 * 4 / 3 / 10)
    assert numbers.within == 0


def test_a_missing_reply_is_wrong_and_a_problem_without_any_or_with_a_form_too_few_is_left_out():
    lost = [(3, form) for form in range(FORMS)]
    whole, *_ = spreads(outcomes(missing=[*lost, (5, 0)]), DATASET)
    assert (whole.problems, whole.mixed) == (9, pytest.approx(1 / 9))
    shorter, *_ = spreads(outcomes()[:-1], DATASET)
    assert shorter.problems == 9
    assert spreads(outcomes(missing=[(p, f) for p in range(10) for f in range(FORMS)]), DATASET) == []


def test_other_subsets_and_unknown_families_have_no_spread():
    items = [DATASET.item("consistency", 3, index) for index in range(4)]
    pairs = [outcome(item, item.answer, DATASET.scorer) for item in items]
    assert spreads(pairs, DATASET) == []
    assert spreads(outcomes(), None) == []
    assert spreads(outcomes(), replace(DATASET, subsets={})) == []


def test_the_command_shows_the_spread(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [DATASET.item("surface-forms", 3, index) for index in range(10 * FORMS)]
    Path("items.jsonl").write_bytes(dump(items))
    lines = [{"id": i.id, "reply": "7777" if i.condition == "numbers-2" else i.answer} for i in items]
    Path("replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    shown = CliRunner().invoke(command_line(), ["score", "replies.jsonl", "--items", "items.jsonl", "--all"])
    assert shown.exit_code == 0, shown.output
    row = next(line.split() for line in shown.stdout.split("\n") if "surface-forms: numbers " in line)
    assert row[2] == "75.0"
    done = CliRunner().invoke(command_line(), ["score", "replies.jsonl", "--items", "items.jsonl", "--json"])
    (model,) = json.loads(done.stdout)["models"]
    assert [spread["within"] for spread in model["spreads"]] == pytest.approx([0.1, 0, 0.25, 0])
    assert model["spreads"][1]["p"] is None
