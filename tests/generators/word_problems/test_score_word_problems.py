"""Scores by hand, kappa against scikit-learn, and the whole way through `score_replies`."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from audit.responses.scoring import score_replies
from generators.errors import InputError
from generators.item import Item
from generators.word_problems.score import Score, agreement, baselines, score, score_all


def problem(index, answer="8", condition="consistent", **more):
    data = {"dataset": "word-problems", "version": "1.0.0", "subset": "consistency", "seed": 1, "canary": "c"}
    name = f"word-problems/1.0.0/consistency/{index:06d}"
    prompt = f"Ann has 5 apples. Bob has 3 more apples than Ann. How many apples has Bob? ({index})"
    group = f"consistency-{index // 2:06d}"
    return Item(name, prompt, None, answer, group, condition, {**data, "language": "en", **more})


def test_both_readings_are_scored():
    one = score(problem(0), "Ann has 5 apples. So Bob has 8.")
    assert one == Score("word-problems/1.0.0/consistency/000000", True, True, "", "8", False, "5", False)
    two = score(problem(0), "8.0")
    assert (two.right, two.right_published, two.said, two.said_published, two.agree) == (True, True, "8", "8", True)


def test_what_is_wrong_has_a_reason():
    assert score(problem(0), "Bob has 1/2.").reason == "says 1/2"
    assert score(problem(0), None).reason == "there is no reply"
    nothing = score(problem(0), "I do not know.")
    assert nothing.reason == "says that there is no answer"
    assert (nothing.parsed, nothing.said, nothing.agree) == (False, "", True)


def test_a_gold_answer_that_is_no_number_is_refused():
    with pytest.raises(InputError, match=r"^item 'word-problems/.*': the answer is 'yes', not a number$"):
        score(problem(0, answer="yes"), "8")


def test_a_language_without_a_reader_is_refused():
    with pytest.raises(InputError, match=r"metadata.language is 'tlh'; replies are read in: en$"):
        score(problem(0, language="tlh"), "8")


def test_replies_to_nothing_and_items_given_twice_are_refused():
    with pytest.raises(InputError, match=r"^1 replies belong to no item, the first one to 'x'$"):
        score_all([problem(0)], {"x": "8"})
    with pytest.raises(InputError, match="two items have one id"):
        score_all([problem(0), problem(0)], {})


def test_the_majority_is_the_commonest_gold_and_guessing_is_undefined():
    (found,) = baselines([problem(0), problem(1), problem(2, "9"), problem(3, "10")])
    assert (found.items, found.majority) == (4, 0.5)
    assert isnan(found.random)
    assert baselines([]) == []


def test_the_family_is_scored_with_its_pairs():
    items = [problem(i, condition=("consistent", "inconsistent")[i % 2]) for i in range(4)]
    replies = dict(zip([one.id for one in items], ["8", "The answer is 8.", "8", "2"], strict=True))
    report = score_replies(items, replies, "mine")
    line = report.lines[0]
    assert report.scorer == "generators.word_problems.score"
    assert (line.right.hits, line.items, line.pairs.hits, line.pairs.total) == (3, 4, 1, 2)
    assert isnan(line.random)
    assert report.record(scores=True)["scores"][3]["said"] == "2"


REPLIES = ["8", "Ann has 5. Bob has 8.", "8 apples more than 5 is 13.", "eight", "5", "I cannot say."]
REPLIES += ["8, as 5 + 3 = 8"]


def test_agreement_by_hand():
    scores = [score(problem(i), reply) for i, reply in enumerate(REPLIES)]
    found = agreement(scores)
    # Read by both: all but the word and the refusal; the same: "8", "5", "8, as ...".
    assert (found.replies, found.read_by_both, found.same, found.same_share) == (7, 5, 3, 0.6)
    assert (found.both_right, found.robust_only, found.published_only, found.neither) == (2, 2, 1, 2)
    # p_o = 4/7, p_e = (4*3 + 3*4)/49 = 24/49: kappa = (28 - 24)/(49 - 24).
    assert found.kappa == pytest.approx(4 / 25)
    assert found.reason == ""


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_kappa_is_that_of_scikit_learn(pairs):
    scores = [Score(str(i), one, True, "", "8", two, "8", one == two) for i, (one, two) in enumerate(pairs)]
    found = agreement(scores)
    first, second = zip(*pairs, strict=True)
    if len({label for pair in pairs for label in pair}) == 1:
        assert isnan(found.kappa)
        assert found.reason == f"both readings call every reply {'right' if first[0] else 'wrong'}"
    else:
        assert found.kappa == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
        assert found.reason == ""
    cells = (found.both_right, found.robust_only, found.published_only, found.neither)
    assert cells == tuple(pairs.count(one) for one in ((True, True), (True, False), (False, True), (False, False)))


def test_no_replies_have_no_agreement():
    found = agreement([])
    assert isnan(found.same_share)
    assert isnan(found.kappa)
    assert found.reason == "there are no replies"
