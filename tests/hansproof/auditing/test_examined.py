"""Topics of items that are read as they are."""

import pytest

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.reliance.parts import part
from hansproof.audit.replies.asking import Asking
from hansproof.audit.replies.joining import join
from hansproof.audit.settings import make_settings
from hansproof.auditing.examined import Course, examined
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

ITEMS = [dataset("planted-cues").item("unigram", 8, index) for index in range(40)]
ROWS = ["id,question,answer\n", *(f"q{n},Is the number {n} an even one?,{('yes', 'no')[n % 2]}\n" for n in range(40))]
JSON = [f'{{"id": "q{n}", "question": "Is {n} an even one?", "answer": "{("yes", "no")[n % 2]}"}}' for n in range(40)]
REPLIES = [Reply(place=f"line {place}", reply="No", id=item.id) for place, item in enumerate(ITEMS)]


def course(topic):
    return Course("reply", make_settings(splits=1, permutations=99), 1, None, Asking(), topic)


def test_the_metadata_of_our_own_items_name_their_topics():
    ((grid, _, topics),) = examined(REPLIES, [ITEMS], course("subset"))
    assert topics == {item.id: "unigram" for item in grid.items}
    ((_, _, nothing),) = examined(REPLIES, [ITEMS], course(None))
    assert nothing is None


def test_a_key_that_they_lack_is_refused_with_those_that_there_are():
    assert join(REPLIES, ITEMS).read.replies == len(ITEMS)
    with pytest.raises(UsageError, match="do not declare 'nothing' as their topic; they have: canary, "):
        list(examined(REPLIES, [ITEMS], course("nothing")))


def test_replies_are_joined_before_anything_is_audited(monkeypatch):
    def never(*arguments, **named):
        raise AssertionError("audited")

    monkeypatch.setattr("hansproof.auditing.examined.examine", never)
    with pytest.raises(InputError, match="none of the 1 replies belongs to an item"):
        list(examined([Reply(place="line 1", reply="No", id="x")], [ITEMS], course(None)))
    others = [dataset("planted-cues").item("none", 8, index) for index in range(40)]
    with pytest.raises(InputError, match="none of the 40 replies belongs to an item"):
        list(examined(REPLIES, [ITEMS, others], course(None)))


def never(*arguments, **named):
    raise AssertionError("read or audited")


def table(folder, name, rows=ROWS):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("".join(rows))
    return str(folder / name)


def test_tables_of_one_name_are_refused_before_any_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("hansproof.auditing.examined.items_from", never)
    first, second = table(tmp_path / "a", "test.csv"), table(tmp_path / "b", "test.csv.gz")
    with pytest.raises(UsageError, match=r"/a/test.csv, .*/b/test.csv.gz: two benchmarks are called 'test': rename"):
        list(examined(REPLIES, [first, table(tmp_path / "a", "other.csv"), second], course(None)))


def test_other_benchmarks_of_one_name_are_refused_before_replies_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("hansproof.auditing.examined.join", never)
    own = [table(tmp_path / name, f"{name}.jsonl", [dump(ITEMS).decode()]) for name in "ab"]
    with pytest.raises(UsageError, match=r"/a.jsonl, .*/b.jsonl: two benchmarks are called 'unigram'"):
        list(examined(REPLIES, own, course(None)))
    foreign = [table(tmp_path / name, "test.json", [f"[{','.join(JSON)}]"]) for name in "ab"]
    with pytest.raises(UsageError, match=r"/a/test.json, .*/b/test.json: two benchmarks are called 'test'"):
        list(examined(REPLIES, foreign, course(None)))


def test_the_audit_of_items_without_ids_finds_them_by_their_place(tmp_path):
    rows = ["question,answer\n", *(f"Is the number {n} an even one?,{('yes', 'no')[n % 2]}\n" for n in range(40))]
    rows += ["Is it odd?,yes\n", "Is it odd?,no\n"]  # which no text tells apart
    source = table(tmp_path, "bench.csv", rows)
    replies = [Reply(place=f"r: line {n}", reply="yes", id=f"line {n + 2}", model="m") for n in range(42)]
    ((grid, examination, _),) = examined(replies, [source], course(None))
    assert [item.id for item in grid.items[:2]] == ["bench.csv: line 2", "bench.csv: line 3"]
    parted = part(grid, examination, None)
    assert parted is not None
    assert len(parted.right) == len(grid.items) == 42
