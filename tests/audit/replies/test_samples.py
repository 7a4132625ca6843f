"""What is a verdict, a reply and a gold answer in a sample of lm-evaluation-harness."""

import made_logs
import pytest
from made_logs import lm_eval

from hansproof.audit.replies.reply_files import read_replies


def read(tmp_path, row):
    (reply,) = read_replies(made_logs.lines(tmp_path / "samples_x.jsonl", [row]))
    return reply


@pytest.mark.parametrize(
    ("marks", "verdict"),
    [
        ({"acc": 1.0, "acc_norm": 0.0}, True),
        # A graded mark that is listed first, and happens to be 0 or 1, is not the verdict.
        ({"bleu": 0.0, "acc": 1.0}, True),
        ({"f1": 1.0, "em": 0.0}, False),
        ({"strict": True, "loose": False}, True),
        ({"perplexity": -1.5, "acc": 0.0}, False),
        ({"acc": 0.25}, None),
    ],
)
def test_the_verdict_is_the_metric_that_marks_a_single_answer(tmp_path, marks, verdict):
    row = lm_eval.likelihoods(0, [("Which?", " a"), ("Which?", " b")], "0", (-1, -2), marks)
    assert read(tmp_path, row).judged is verdict


def test_the_likelihood_of_one_text_is_no_reply_that_a_gold_can_judge(tmp_path):
    # LAMBADA asks how likely its last word is: what the model would say instead is not in the log.
    row = lm_eval.likelihoods(0, [("He gave her the", " ring")], " ring", (-1.5,), {"perplexity": -1.5, "acc": 1.0})
    reply = read(tmp_path, row)
    assert (reply.golds, reply.choices, reply.judged, reply.likeliest) == ((), (), True, True)


def test_options_that_are_compared_are_told_from_replies(tmp_path):
    (row,) = lm_eval.generated(0, "Which?", "a", "a", {"none": ("a", 1.0)})
    reply = read(tmp_path, row)
    assert (reply.likeliest, reply.filter, reply.style) == (False, "none", "")
    row = lm_eval.likelihoods(0, [("Which?", " a"), ("Which?", " b")], "1", (-1, -2), {"acc": 0.0})
    reply = read(tmp_path, row)
    assert (reply.reply, reply.golds, reply.likeliest) == ("a", ("b",), True)


def test_a_list_of_right_answers_is_several_golds_and_several_right_options(tmp_path):
    (row,) = lm_eval.generated(0, "Who?", str(["O'Hara", "x"]), "x", {"none": ("x", 1.0)}, {"id": "q1"})
    assert read(tmp_path, row).golds == ("O'Hara", "x")
    asked = [("Which?", f" {word}") for word in "abc"]
    assert read(tmp_path, lm_eval.likelihoods(0, asked, "['b', 'c']", (-1, -2, -3), {"acc": 0.0})).golds == ("b", "c")
    assert read(tmp_path, lm_eval.likelihoods(0, asked, "[0, 2]", (-1, -2, -3), {"acc": 1.0})).golds == ("a", "c")
