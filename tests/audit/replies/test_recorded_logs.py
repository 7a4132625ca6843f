"""Recorded logs of eight runs (two benchmarks, four models): our reading beside the verdict of the harness.

The harness (OpenAI evals, `Match`) takes a reply for right if it begins with the gold answer, to the letter. So the
blank or line break in front of every reply of a completion model makes it wrong: those four logs report an accuracy
of 0. We read the same replies, and read the chat models' as the harness does, but for answers that do not come first.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.replies.scorers import THIRD_PARTY
from hansproof.scoring import join_answers

RESPONSES = Path(__file__).resolve().parents[4] / "shared" / "data" / "responses"
pytestmark = pytest.mark.skipif(not RESPONSES.is_dir(), reason="recorded answers of others are not part of the project")


@pytest.fixture(scope="module")
def joined():
    return join_answers(read_replies(sorted(RESPONSES.glob("[cm]*/*.jsonl"))), keep="outcomes")


def test_eight_logs_are_two_subsets_and_four_models(joined):
    grid = joined.grid
    assert Counter(item.metadata["subset"] for item in grid.items) == {
        "causal_judgment": 186,
        "moral_permissibility": 338,
    }
    assert [series.title for series in grid.series] == [
        "gpt-3.5-turbo-0613", "gpt-4-0613", "text-ada-001", "text-davinci-003"
    ]  # fmt: skip
    read = joined.read
    assert (read.replies, read.unmatched.count, read.doubled.count, read.unconfirmed) == (4 * 524, 0, 0, 0)


def test_our_reading_agrees_with_the_harness_on_chat_models(joined):
    counts = [(a.replies, a.both, a.first_only, a.second_only, a.neither) for a in joined.agreements]
    assert counts == [(524, 142, 0, 0, 382), (524, 256, 10, 0, 258), (524, 0, 263, 0, 261), (524, 0, 256, 0, 268)]
    # gpt-4: p_o = 514/524, p_e = (266 * 256 + 258 * 268) / 524^2.
    p_o, p_e = 514 / 524, (266 * 256 + 258 * 268) / 524**2
    assert [a.kappa for a in joined.agreements] == pytest.approx([1.0, (p_o - p_e) / (1 - p_e), 0.0, 0.0])


def test_each_disagreement_is_a_blank_in_front_or_an_answer_that_does_not_come_first():
    paths = sorted(RESPONSES.glob("[cm]*/*.jsonl"))
    replies = list(read_replies(paths))
    items = {item.id: item for item in items_of_replies(replies)}
    late = []
    for reply in replies:
        item = items[f"{reply.benchmark}/{reply.id}"]
        right = THIRD_PARTY.score(item, THIRD_PARTY.read(item, reply.reply)).right
        if right != reply.reply.strip().startswith(item.answer):
            late.append((reply.model, re.search("answer (?:wo|co|mi)", reply.reply) is not None))
    assert late == [("gpt-4-0613", True)] * 10


def test_the_verdicts_of_the_harness_are_the_accuracies_of_its_reports():
    grid = join_answers(read_replies(sorted(RESPONSES.glob("causal_judgment/*.jsonl"))), judged="harness").grid
    reported = [0.6290322580645161, 0.6881720430107527, 0.0, 0.0]
    assert grid.right().mean(axis=0).tolist() == pytest.approx(reported)


def test_the_causes_of_disagreements_are_counted(joined):
    causes = joined.read.disagreements.causes
    white, late = causes
    assert (white.startswith("the reply begins with white space"), causes[white]) == (True, 263 + 256)
    assert (late.startswith("the answer does not stand at the beginning"), causes[late]) == (True, 10)
    assert joined.read.disagreements.count == 263 + 256 + 10
