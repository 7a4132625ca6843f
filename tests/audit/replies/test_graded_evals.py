"""OpenAI evals in which a model grades the replies: the reply is the model's, the verdict the grader's."""

import made_logs
import pytest

from hansproof import score
from hansproof.audit.replies.reply_files import read_replies

FACT = "You are comparing a submitted answer to an expert answer.\n[Submission]: {}\nAnswer with Y or N."


def graded_log(path, rows, cot=False, twice=False):
    """The events of `ModelBasedClassify` of evals 3.0: what the model said, what the grader said, and `metrics`."""
    events = []

    def add(id, kind, data):
        events.append({"run_id": "g", "event_id": len(events), "sample_id": id, "type": kind, "data": data})

    for id, said, choice, mark in rows:
        asked = [{"role": "user", "content": f"Who wrote {id}?"}]
        if twice:
            add(id, "sampling", {"prompt": asked, "sampled": ["Let me think."]})
        add(id, "sampling", {"prompt": asked, "sampled": [said] if said else []})
        prompt = [{"role": "user", "content": FACT.format(said)}]
        add(id, "sampling", {"prompt": prompt, "sampled": [f"I compare.\n{choice}" if cot else choice]})
        add(id, "metrics", {"choice": choice} | ({} if mark is None else {"score": mark}))
    spec = {"completion_fns": ["gpt-x", "grader"], "base_eval": "fact", "run_config": {}, "run_id": "g"}
    return made_logs.lines(path, [{"spec": spec}, *events, {"final_report": {"score": 0.5}}])


ROWS = [(f"book {n}", f"Author {n} did.", "Y" if n % 3 else "N", float(bool(n % 3))) for n in range(12)]


@pytest.mark.parametrize("cot", [False, True])
@pytest.mark.parametrize("twice", [False, True])
def test_the_reply_is_what_the_model_said_and_the_verdict_what_the_grader_chose(tmp_path, cot, twice):
    path = graded_log(tmp_path / "log.jsonl", ROWS, cot, twice)
    read = list(read_replies(path))
    assert [(r.id, r.model, r.prompt, r.reply, r.judged) for r in read] == [
        (id, "gpt-x", f"Who wrote {id}?", said, mark == 1) for id, said, _, mark in ROWS
    ]
    (report,) = score(path, judged="harness")
    right = report.lines[0].right
    assert (right.hits, right.total) == (sum(mark == 1 for *_, mark in ROWS), len(ROWS)) == (8, 12)


def test_grades_between_and_without_a_score_are_no_verdicts(tmp_path):
    rows = [("a", "x", "A", 0.5), ("b", "x", "B", None), ("c", "x", "__invalid__", 0), (*"dx", "C", 1)]
    read = list(read_replies(graded_log(tmp_path / "log.jsonl", rows)))
    assert [(r.judged, r.undecided) for r in read] == [(None, "'0.5'"), (None, ""), (False, ""), (True, "")]


def test_a_grade_of_nothing_leaves_the_reply_missing(tmp_path):
    read = list(read_replies(graded_log(tmp_path / "log.jsonl", [*ROWS[:1], ("z", None, "N", 0.0)])))
    assert [r.reply for r in read] == [ROWS[0][1], None]


def test_metrics_without_a_choice_say_nothing_of_who_spoke_last(tmp_path):
    path = made_logs.run_log(tmp_path / "log.jsonl", [("a", "Is it?", "yes", "no", False)])
    more = {"run_id": "g", "event_id": 9, "sample_id": "a", "type": "metrics", "data": {"score": 1.0}}
    path.write_text(path.read_text() + made_logs.lines(tmp_path / "more", [more]).read_text())
    (reply,) = read_replies(path)
    assert (reply.reply, reply.judged) == ("no", False)
