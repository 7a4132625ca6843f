"""By what logs are judged that hold their own golds: worked solutions, placeholders, shares, a part that is named."""

import pytest

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.reading.roles import parse_answer_part
from hansproof.audit.replies.foreign_items import standards
from hansproof.generators.errors import InputError


def log(golds, benchmark="t", **more):
    return [
        Reply(place=f"l: line {n}", id=str(n), prompt=f"What is {n}?", reply="7", benchmark=benchmark,
              golds=(gold,) if isinstance(gold, str) else gold, **more)
        for n, gold in enumerate(golds)
    ]  # fmt: skip


def golds(made):
    return [reply.golds for reply in made.replies]


def test_plain_golds_stay_as_they_are_and_nothing_is_said():
    for texts in (["3", "4"], ["0"], ["0", "1"], ["yes", "yes"], ["5", "5"], [("a", "b"), ("c",)]):
        replies = log(texts, judged=True)
        made = standards(replies)
        assert (made.replies, made.notes, made.by_harness, made.left_out) == (replies, [], set(), set())


def test_worked_solutions_count_by_their_end():
    made = standards(log(["1 + 1 = 2\n#### 2", "x #### no.\n#### 1,000"]))
    assert golds(made) == [("2",), ("1,000",)]
    assert made.notes == ["t: the gold answers are worked solutions, of which what stands after #### counts"]
    made = standards(log(["It is $\\boxed{\\frac{1}{2}}$.", "\\boxed{1}, no, $\\boxed{x^{2}}$"]))
    assert golds(made) == [("\\frac{1}{2}",), ("x^{2}",)]
    assert "what stands in the last \\boxed{} counts" in made.notes[0]
    # Not where options are named, where several golds are right, and where only some are worked out.
    options = log(["#### a", "#### b"], choices=("#### a", "#### b"))
    for replies in (options, log([("#### 1", "#### 2"), "#### 3"]), log(["#### 1", "2"])):
        assert standards(replies).replies == replies


@pytest.mark.parametrize("gold", ["0", "-1", "None", "N/A", "placeholder"])
def test_a_placeholder_leaves_the_verdicts_of_the_harness(gold):
    made = standards(log([gold] * 3, judged=True))
    assert (golds(made), made.by_harness) == ([()] * 3, {"t"})
    assert made.notes == [
        f"t: the gold answer of every item is {gold!r}, a placeholder: the verdicts of the harness count, there is "
        "no chance level, and blind strategies leave its items out"
    ]
    with pytest.raises(InputError, match="there is nothing to score: t: in no number: the gold answer of every item"):
        standards(log([gold] * 3))
    made = standards([*log([gold] * 3), *log(["5", "6"], "u")])
    assert (made.left_out, len(made.replies)) == ({("t", "")}, 2)
    # Two replies to one item are one item.
    (again,) = log([gold], judged=True)
    assert standards([again, again]).by_harness == set()


def test_no_golds_leave_the_verdicts_or_nothing():
    made = standards(log([(), ()], judged=False))
    assert (made.by_harness, made.notes[0].partition(":")[2][:28]) == ({"t"}, " its log has no gold answers")
    alone = log([(), ()])
    assert (standards(alone).replies, standards(alone).notes) == (alone, [])
    made = standards([*alone, *log(["5", "6"], "u")])
    assert (made.left_out, made.notes) == (
        {("t", "")}, ["t: in no number: its log has neither gold answers nor verdicts of the harness"]
    )  # fmt: skip


def test_shares_are_in_no_number_even_where_one_of_them_is_a_verdict():
    shares = log(["a", "b"], likeliest=True, choices=("a", "b"), undecided="'0.4'")
    whole = log(["a"], likeliest=True, choices=("a", "b"), judged=True)
    made = standards([*shares, *whole, *log(["5"], "u")])
    assert (made.left_out, [reply.benchmark for reply in made.replies]) == ({("t", "")}, ["u"])
    assert made.notes == ["t: in no number: its marks are shares, such as '0.4', so that no reply is right or wrong"]
    # What a model says can still be right or wrong where the harness gives half a mark.
    said = log(["a", "b"], choices=("a", "b"), undecided="'0.4'")
    assert standards(said).replies == said


def test_a_part_is_taken_where_golds_have_it():
    part = parse_answer_part(r"is (\w+)")
    made = standards([*log([("it is a", "it was c"), "it was b"]), *log(["5"], "u")], part)
    assert golds(made) == [("a",), (), ("5",)]
    assert made.notes == ["t: 1 gold answers lack the part that --answer-part names"]
    with pytest.raises(InputError, match="no gold answer in the logs has the part"):
        standards(log(["5"]), part)
    assert golds(standards(log(["#### 5", "is 6\n#### 7"]), part)) == [(), ("6",)]
    assert standards([], part).replies == []
