"""Hypotheses and phenotypes on the page of a study: in full, and true to the record."""

import html
import re

import msgspec
from read_pages import tables

from hansproof.audit import notation
from hansproof.audit.models.study import Played
from hansproof.audit.report import phenotype_words
from hansproof.audit.report.hypothesis_figure import EXPECTED


def test_hypotheses_are_those_of_the_record(study):
    report = study.answered[1].tested
    shown = tables(study.page())
    text = html.unescape(study.page())
    assert report.tests
    for hypothesis in report.hypotheses:
        assert f"<h3>{hypothesis.name}: {hypothesis.statement}</h3>" in text
        tests = [tested for tested in report.tests if tested.hypothesis == hypothesis.name]
        caption = f"{hypothesis.name}, expected: {EXPECTED[hypothesis.expects]}: token-bias"
        rows = [row for row in shown.get(caption, []) if len(row) > 1]
        assert len(rows) == len(tests)
        for row, tested in zip(rows, tests, strict=True):
            assert row[:5] == [
                tested.model, str(tested.pairs), notation.points(tested.before_right),
                notation.points(tested.after_right), notation.points(tested.shift, "+"),
            ]  # fmt: skip
            assert row[5:7] == [str(tested.before_only), str(tested.after_only)]
            assert row[7:9] == [notation.p_value(tested.p), notation.p_value(tested.p_bh_all)]
            assert row[9] == ("yes *" if tested.supported else "no")
        rows = [row for row in shown.get(f"{hypothesis.name}: further numbers: token-bias", []) if len(row) > 1]
        assert [row[1:3] for row in rows] == [[str(each.both), str(each.neither)] for each in tests]
    assert "H1 is not tested: none of its subsets is among the items" in text
    marks = re.findall(r'<circle class="ring" cx="([^"]*)" cy="50%" r="4"/><circle class="dot" cx="([^"]*)"', text)
    assert marks == [(f"{100 * each.before_right:.2f}%", f"{100 * each.after_right:.2f}%") for each in report.tests]


def test_phenotypes_stand_in_a_figure_and_in_tables(study):
    text = html.unescape(study.page())
    assert text.count('class="profile"') == 1
    for phenotype in study.played.phenotypes:
        assert f"<h3>{phenotype.name}</h3>" in text
        for metric in phenotype.profile:
            if metric.value is not None:
                assert f"<td>{phenotype_words.number(metric, metric.value)}</td>" in text
    assert len(study.played.differences) > 0
    assert "alpha minus beta" in text
    assert "seed 0" in text[text.index('id="method"') :]


def test_seven_phenotypes_take_two_figures(study):
    first = study.played.phenotypes[0]
    seven = [msgspec.structs.replace(first, name=f"m{number}") for number in range(7)]
    text = msgspec.structs.replace(study, played=Played(phenotypes=seven, differences=[], notes=[])).page()
    assert text.count('class="profile"') == 2


def test_nobody_is_asked_for_a_shortcut_where_nothing_is_right(study):
    """Tasks without gold answers have no parts, unless other items have some."""
    series = [msgspec.structs.replace(each, accuracies=[]) for each in study.answered[0].series]
    only = msgspec.structs.replace(study.answered[0], series=series, differences=[])
    text = msgspec.structs.replace(study, answered=[only], benchmarks=[]).page()
    assert 'id="probe"' not in text
    assert "no answer to them is right or wrong" in text
    assert 'id="probe"' in msgspec.structs.replace(study, benchmarks=[], played=None).page()
