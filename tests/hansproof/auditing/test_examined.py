"""Topics of items that are read as they are."""

import pytest

from audit.answers.asking import Asking
from audit.answers.joining import join
from audit.answers.reply import Reply
from audit.settings import make_settings
from generators.errors import InputError, UsageError
from generators.registry import dataset
from hansproof.auditing.examined import Course, examined

ITEMS = [dataset("planted-cues").item("unigram", 8, index) for index in range(40)]
REPLIES = [Reply(place=f"line {place}", reply="No", id=item.id) for place, item in enumerate(ITEMS)]


def course(topic):
    return Course("reply", make_settings(splits=1, permutations=99), 1, None, Asking(), topic)


def test_the_metadata_of_our_own_items_name_their_topics():
    ((grid, _, topics),) = examined(REPLIES, [ITEMS], course("subset"))
    assert topics == {item.id: "unigram" for item in grid.items}
    ((_, _, nothing),) = examined(REPLIES, [ITEMS], course(None))
    assert nothing is None


def test_a_key_that_they_lack_is_refused_with_those_that_there_are():
    assert join(REPLIES, ITEMS).replies == len(ITEMS)
    with pytest.raises(UsageError, match="do not declare 'nothing' as their topic; they have: canary, "):
        list(examined(REPLIES, [ITEMS], course("nothing")))


def test_replies_are_joined_before_anything_is_audited(monkeypatch):
    def never(*arguments, **named):
        raise AssertionError("audited")

    monkeypatch.setattr("audit.run.examine", never)
    with pytest.raises(InputError, match="none of the 1 replies belongs to an item"):
        list(examined([Reply(place="line 1", reply="No", id="x")], [ITEMS], course(None)))
    others = [dataset("planted-cues").item("none", 8, index) for index in range(40)]
    with pytest.raises(InputError, match="none of the 40 replies belongs to an item"):
        list(examined(REPLIES, [ITEMS, others], course(None)))
