"""What is kept of replies: the whole answer, or why there is none; one object for a label that many give."""

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.judged_reply import NO_REPLY, Read
from hansproof.generators.item import Item

ITEMS = [
    Item(f"i{place}", f"Question {place}?", ["yes", "no"], "yes", f"g{place}", "", {"dataset": "d", "subset": "s"})
    for place in range(4)
]


def read_of(said, items=ITEMS, **more):
    replies = [
        Reply(place=f"line {k}", id=item.id, reply=text)
        for k, (item, text) in enumerate(zip(items, said, strict=False))
    ]
    return join(replies, items, keep="readings", **more).grid.read


def test_each_reply_is_read_or_says_why_not():
    (read,) = read_of(["Yes.", "no", "hm", None])
    assert read[:2] == (Read("yes", ""), Read("no", ""))
    assert (read[2].said, bool(read[2].reason), read[3]) == (None, True, None)
    assert [str(each) for each in (read[0], read[2], NO_REPLY)] == ["yes", f"unclear ({read[2].reason})", "missing"]


def test_nothing_is_kept_unless_it_is_asked_for():
    assert join([Reply(place="line 1", id="i0", reply="yes")], ITEMS).grid.read == ()


def test_equal_readings_are_one_object():
    (read,) = read_of(["yes", "no", "Yes", "YES."])
    assert read[0] is read[2] is read[3]


def test_a_long_answer_is_kept_whole():
    opens = [Item("i0", "Say it.", None, "x" * 5000, "g", "", {"dataset": "d", "subset": "s"})]
    (read,) = read_of([f"{'x' * 4999}y"], opens)
    assert read[0].said == "x" * 4999 + "y"
