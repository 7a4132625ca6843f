"""What changed between two audits: verdicts, kappas and their interval, items, answers, n-grams, settings."""

from __future__ import annotations

import io
import json
from typing import get_args

import jsonschema
import msgspec
import pytest
from made_schemes import scheme

from hansproof.audit.report.change_screens import show_diff
from hansproof.audit.report.terminal import console_on
from hansproof.audit.result.audit_result import SCHEMA, Exclusion, LabelCount, ScanResult, Verdict
from hansproof.audit.result.changes import BEST_FIRST, Diff, interval_of_difference
from hansproof.audit.result.diff import compare, diff
from hansproof.audit.result.document import encode
from hansproof.generators.errors import InputError, UsageError

POISON = "\x1b[31m\u202e\ud800<b>" + "x" * 10_000


def shown(changes):
    stream = io.StringIO()
    show_diff(changes, console_on(stream))
    return stream.getvalue()


def test_every_verdict_has_a_place_in_the_order():
    assert sorted(BEST_FIRST) == sorted(get_args(Verdict))


@pytest.mark.parametrize(
    ("old", "new", "worse"),
    [
        ("CLEAN", "TRACES", True),
        ("TRACES", "INCONCLUSIVE", True),
        ("INCONCLUSIVE", "NOT ASSESSED", True),
        ("NOT ASSESSED", "IMBALANCED", True),
        ("TEMPLATE-BOUND", "LEAKS", True),
        ("LEAKS", "LEAKS", False),
        ("LEAKS", "CLEAN", False),
    ],
)
def test_worse_is_further_to_the_right(make_result, old, new, worse):
    assert compare(make_result(verdict=old), make_result(verdict=new)).worse is worse


def test_the_interval_of_a_difference_recovers_the_variances():
    # Two symmetric intervals of half-widths .3 and .4: that of the difference is sqrt(.09 + .16) = .5.
    low, high = interval_of_difference((0.0, 0.3, 0.6), (0.0, 0.4, 0.8))
    assert (round(low, 9), round(high, 9)) == (-0.4, 0.6)
    # An asymmetric one: down from new to .1 is .3, up from old to .7 is .4; up .1, down .2.
    low, high = interval_of_difference((0.1, 0.3, 0.7), (0.1, 0.4, 0.5))
    assert low == pytest.approx(0.1 - 0.5)
    assert high == pytest.approx(0.1 + 0.05**0.5)
    assert interval_of_difference((None, 0.3, 0.6), (0.0, 0.4, 0.8)) is None


def test_the_interval_matches_newcombe_for_two_proportions():
    # Newcombe (1998), method 10, 56/70 against 48/80: the difference .2 has the interval .0524 to .3339. The method of
    # variance estimates recovery gives it from the two Wilson intervals.
    from statsmodels.stats.proportion import proportion_confint

    first = proportion_confint(56, 70, method="wilson")
    second = proportion_confint(48, 80, method="wilson")
    low, high = interval_of_difference((second[0], 48 / 80, second[1]), (first[0], 56 / 70, first[1]))
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


def test_other_items_give_an_interval_and_the_same_file_gives_none(make_result):
    old = make_result(sha256="a" * 64)
    weaker = make_result(sha256="b" * 64, schemes=[scheme("grouped", 0.152), scheme("random", 0.2)])
    changed = compare(old, weaker)
    assert not changed.same_file
    first = next(of for of in changed.kappas if of.vector == "word-2-tfidf" and of.scheme == "grouped")
    assert (first.vector, first.scheme) == ("word-2-tfidf", "grouped")
    assert first.change == pytest.approx(first.new - first.old)
    assert first.low < first.change < first.high < 0
    assert "as two independent samples" in changed.notes[0]
    same = compare(old, msgspec.structs.replace(weaker, sha256="a" * 64))
    assert {of.low for of in same.kappas} == {None}
    assert "read the same file" in same.notes[0]


def test_other_settings_or_columns_make_numbers_incomparable(make_result):
    old = make_result()
    settings = msgspec.structs.replace(old.settings, threshold=0.3)
    mapping = msgspec.structs.replace(old.mapping, prompt="question")
    changed = compare(old, make_result(settings=settings, mapping=mapping))
    assert not changed.comparable
    assert [(change.name, change.old, change.new) for change in changed.settings] == [
        ("threshold", "0.2", "0.3"),
        ("column prompt", '"input"', '"question"'),
    ]
    assert "differ in threshold, column prompt: their numbers are not comparable" in changed.notes[0]
    judged = diff(make_result(verdict="CLEAN"), make_result(settings=settings))  # LEAKS by another threshold
    assert (judged.comparable, judged.worse, judged.benchmarks[0].worse) == (False, False, True)
    assert "verdict: not comparable" in shown(judged)
    assert compare(old, make_result(versions=old.versions | {"numpy": "3"})).comparable


def test_items_answers_and_cues_that_came_and_went(make_result):
    old = make_result(sha256="1")
    fewer = [LabelCount(label="entailment", count=600), LabelCount(label="maybe", count=7)]
    first, *others = old.cues
    cue = msgspec.structs.replace(first, ngram="brand new", z=9.0)
    weak = msgspec.structs.replace(first, ngram="noise", z=2.0)
    changed = compare(old, make_result(sha256="2", items=607, labels=fewer, cues=[cue, weak, *others]))
    assert (changed.old_items, changed.new_items) == (1600, 607)
    assert [(label.label, label.old, label.new) for label in changed.labels] == [
        ("contradiction", 521, 0), ("neutral", 433, 0), ("entailment", 646, 600), ("maybe", 0, 7),
    ]  # fmt: skip
    assert [cue.ngram for cue in changed.cues] == ["brand new"]
    assert [cue.ngram for cue in changed.gone] == [first.ngram]


def test_folders_are_matched_by_name(make_result):
    def folder(*results, failures=()):
        return ScanResult(schema=SCHEMA, source="suite", results=list(results), failures=list(failures))

    clean, leaks = make_result(name="a", verdict="CLEAN"), make_result(name="b")
    changed = diff(folder(clean, leaks), folder(leaks, make_result(name="c")))
    assert ([of.name for of in changed.benchmarks], changed.added, changed.removed) == (["b"], ["c"], ["a"])
    assert not changed.worse
    assert "1 benchmark unchanged" not in shown(changed)
    broken = diff(folder(clean), folder(clean, failures=[Exclusion(place="suite/d.csv", reason="empty")]))
    assert broken.worse
    assert broken.failures == ["suite/d.csv: empty"]
    twins = diff(folder(clean, make_result(name="a")), folder(clean, clean))
    assert [of.old_verdict for of in twins.benchmarks] == ["CLEAN", "LEAKS"]
    with pytest.raises(UsageError, match="one is the audit of a benchmark, the other of a folder"):
        diff(clean, folder(clean))


def test_the_terminal_says_what_changed_and_survives_poison(make_result):
    worse = make_result(
        sha256="x",
        verdict="TEMPLATE-BOUND",
        name=POISON,
        labels=[LabelCount(label=POISON, count=3), LabelCount(label="neutral", count=9)],
    )
    text = shown(diff(make_result(verdict="CLEAN"), worse))
    assert "CLEAN" in text
    assert "TEMPLATE-BOUND" in text
    assert "verdict: WORSE than before" in text
    assert "\x1b" not in text


def test_the_json_obeys_the_schema_of_its_records(make_result):
    changed = diff(make_result(verdict="CLEAN"), make_result(sha256="x"))
    document = json.loads(msgspec.json.encode(changed))
    jsonschema.Draft202012Validator(msgspec.json.schema(Diff)).validate(document)
    assert document["schema"] == "hansproof.diff/1"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"schema": ' + b"9" * 10_000 + b"}", "more than 4,300 digits"),
        (b'{"schema": "hansproof.audit/2", "items": 1e999}', "1e999 is no number of JSON"),
        (b'{"schema": "hansproof.audit/1"}', "repeat the audit with this version"),
        (b"", "not JSON"),
        (b'{"schema": "hansproof.audit/2", "results": 3}', "not a document of schema"),
    ],
)
def test_hostile_documents_get_one_line_with_their_place(tmp_path, make_result, data, said):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(encode(make_result()))
    bad.write_bytes(data)
    with pytest.raises(InputError, match=said) as caught:
        diff(good, bad)
    assert str(caught.value).startswith(str(bad))
    assert "\n" not in str(caught.value)


def test_open_ended_answers_are_compared_by_the_advantage_of_their_strategies():
    from hansproof.audit.run import audit

    def sums(step):
        rows = [{"question": f"What is {n} plus {n % 13}?", "answer": str(n + n % 13 + n % step)} for n in range(60)]
        return audit(rows, splits=2, permutations=199)

    changed = compare(sums(2), sums(1))  # half of the sums are wrong by one, then none is
    assert changed.kappas[0].scheme == "open"
    assert "sum" in changed.kappas[0].label
    assert changed.kappas[0].change == pytest.approx(0.5, abs=0.05)
    assert changed.kappas[0].low > 0.2


def test_a_file_that_the_new_audit_did_not_reach_is_worse_than_before(make_result):
    old = ScanResult(schema=SCHEMA, source="suite", results=[make_result()], failures=[])
    new = ScanResult(schema=SCHEMA, source="suite", results=[], failures=[], unfinished=["suite/a.csv"])
    assert diff(old, new).failures == ["suite/a.csv: the new audit was interrupted before it"]
    assert diff(old, new).worse


def test_every_vector_is_listed_and_the_largest_changes_first(make_result):
    changed = diff(make_result(sha256="1"), make_result(sha256="2", schemes=[scheme("grouped", 0.152)]))
    kappas = changed.benchmarks[0].kappas
    assert {of.vector for of in kappas} == {of.vector for of in make_result().scheme("grouped").vectors}
    sizes = [abs(of.change) for of in kappas if of.change is not None]
    assert sizes == sorted(sizes, reverse=True)
    assert len(kappas) > 8
    assert f"and {len(kappas) - 8} smaller changes, in --json" in shown(changed)


def test_benchmarks_without_a_common_answer_are_not_one(make_result):
    other = make_result(labels=[LabelCount(label="yes", count=5), LabelCount(label="no", count=5)])
    changed = compare(make_result(), other)
    assert not changed.comparable
    assert changed.notes[0].startswith("The two have no answer in common")
