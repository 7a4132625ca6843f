"""A mark of one half is no verdict: what is written there is told with its place, and how often."""

import json

import made_logs
import numpy as np
import pytest

from hansproof import score
from hansproof.audit.harnesses.log_values import no_verdict_in
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.report.study_reading import joined_notes
from hansproof.generators.item import Item

ITEMS = [
    Item(id, f"Is {id} so?", ("yes", "no"), "yes", id, "",
         {"dataset": "d", "version": "", "subset": "", "seed": 0, "canary": "", "accepted": ["yes"]})
    for id in ("a", "b", "c")
]  # fmt: skip


def test_values_that_are_neither_right_nor_wrong_are_kept_as_written():
    assert [no_verdict_in(value) for value in (True, 0, "C", "no", None, "", " ", float("nan"), [], [0.5])] == [""] * 10
    assert [no_verdict_in(value) for value in (0.5, "partly", 2, "P")] == ["'0.5'", "'partly'", "'2'", "'P'"]
    assert len(no_verdict_in("x" * 100)) == 42


@pytest.mark.parametrize("judged", ["reply", "harness"])
def test_a_table_tells_the_place_and_the_count(tmp_path, judged):
    path = tmp_path / "t.csv"
    path.write_text("id,reply,correct\na,yes,1\nb,yes,maybe\nc,no,0.5\n")
    joined = join(read_replies(path), ITEMS, judged=judged)
    (note,) = [note for note in joined_notes(joined.read) if "neither" in note]
    assert note == (
        "2 of 3 replies have a mark of a harness that is neither right nor wrong, and are in no accuracy by its "
        "verdicts: "
        f"{path}: line 3: 'maybe' is neither right nor wrong; {path}: line 4: '0.5' is neither right nor wrong"
    )
    assert joined.read.undecided.count == 2
    assert joined.read.unjudged == 0
    right = joined.grid.right()[:, 0]
    assert (np.nansum(right), np.isfinite(right).sum()) == ((1, 1) if judged == "harness" else (2, 3))
    assert joined.read.missing[0].count == 0


def test_marks_in_between_are_in_no_accuracy_by_the_verdicts_of_the_harness(tmp_path):
    """Of inspect_ai's C, I, P and of a number between: 5 right and 3 wrong of 8, and 4 are neither."""
    marks = ["C", "C", "P", "I", 1, 0.5, "C", 0.0, "P", "C", "I", 0.25]
    rows = [(f"q{n:02}", f"What is {n} plus {n}?", str(2 * n), str(2 * n), True) for n in range(len(marks))]
    samples = [
        made_logs.inspect_sample(row) | {"scores": {"rubric": {"value": mark}}}
        for row, mark in zip(rows, marks, strict=True)
    ]
    log = made_logs.inspect_log(tmp_path / "log.json", samples)
    (report,) = score(log, judged="harness")
    line = report.lines[0]
    assert (line.items, line.missing, line.unclear) == (12, 0, 0)
    assert (line.right.hits, line.right.total, line.right.share) == (5, 8, 0.625)
    assert [outcome.score.reason for outcome in report.outcomes if outcome.score.right is None] == [
        "neither right nor wrong by the harness"
    ] * 4
    skipped = score(log, judged="harness", skip_missing=True)[0].lines[0]
    assert (skipped.right.hits, skipped.right.total) == (5, 8)
    assert score(log)[0].lines[0].right.share == 1


def test_logs_of_harnesses_tell_them_too(tmp_path):
    sample = {"input": "Is a so?", "target": "yes", "output": {"completion": "yes"}}
    samples = [
        sample | {"id": "a", "scores": {"first": {"value": "P"}, "second": {"value": 0.5}}},
        sample | {"id": "b", "scores": {"first": {"value": "P"}, "second": {"value": "C"}}},
        sample | {"id": "c", "scores": {"first": {"value": {"mean": 0.5}}}},
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "d", "model": "m"}, "samples": samples}
    (tmp_path / "log.json").write_text(json.dumps(log))
    read = [(reply.judged, reply.undecided) for reply in read_replies(tmp_path / "log.json")]
    assert read == [(None, "'0.5'"), (True, ""), (None, "")]
    row = {"doc_id": 0, "doc": {}, "target": "yes", "arguments": [["Is a so?", {}]], "resps": [["yes"]],
           "filtered_resps": ["yes"], "metrics": ["f1"]}  # fmt: skip
    (tmp_path / "samples_d.jsonl").write_text(
        "".join(json.dumps(row | marks) + "\n" for marks in ({"f1": 0.25}, {"f1": 0.25, "acc": 1.0}, {"f1": [1]}))
    )
    read = [(reply.judged, reply.undecided) for reply in read_replies(tmp_path / "samples_d.jsonl")]
    assert read == [(None, "'0.25'"), (True, ""), (None, "")]
    events = [
        {"spec": {"completion_fns": ["m"], "base_eval": "d", "run_id": "r"}},
        {"sample_id": "a", "type": "sampling", "data": {"prompt": "Is a so?", "sampled": ["yes"]}},
        {"sample_id": "a", "type": "match", "data": {"correct": "half", "expected": "yes"}},
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    read = [(reply.judged, reply.undecided) for reply in read_replies(tmp_path / "run.jsonl")]
    assert read == [(None, "'half'")]
