"""Files of items: round trips, atomic writes, and reading that names every faulty line."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump, read, write, write_bytes

METADATA = {"dataset": "d", "version": "1.0.0", "subset": "s", "seed": 7, "canary": "c-1"}


def items(n: int) -> list[Item]:
    return [Item(f"d/1.0.0/s/{i:06d}", f"Is {i} odd?", None, "no", "g", "plain", METADATA) for i in range(n)]


def faults(path: Path) -> list[str]:
    with pytest.raises(InputError, match=r"line \d+: ") as caught:
        read(path)
    return [line.removeprefix(f"{path}: ") for line in str(caught.value).split("\n")]


def test_items_survive_a_round_trip_through_a_file(tmp_path):
    path = tmp_path / "a.jsonl"
    write(path, items(3))
    assert read(path) == items(3)
    assert path.read_bytes() == dump(items(3))
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.jsonl"]


def test_no_items_make_an_empty_file(tmp_path):
    write(tmp_path / "a.jsonl", [])
    assert read(tmp_path / "a.jsonl") == []


def test_unicode_line_separators_do_not_split_an_item(tmp_path):
    odd = [replace(item, prompt="one\u2028two\x85three\nfour") for item in items(2)]
    write(tmp_path / "a.jsonl", odd)
    assert read(tmp_path / "a.jsonl") == odd


def test_an_existing_file_is_overwritten_only_on_request(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("precious")
    with pytest.raises(InputError, match=r"a\.jsonl: exists; remove it"):
        write(path, items(1))
    assert path.read_text() == "precious"
    write(path, items(1), overwrite=True)
    assert read(path) == items(1)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    monkeypatch.setattr("hansproof.generators.output.os.fsync", lambda _: path.write_text("somebody else's"))
    with pytest.raises(InputError, match="exists; remove it"):
        write_bytes(path, b"ours")
    assert path.read_text() == "somebody else's"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_failed_write_leaves_no_partial_file(tmp_path, monkeypatch):
    def full_disk(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.jsonl"
    path.write_text("old")
    monkeypatch.setattr("hansproof.generators.output.os.fsync", full_disk)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        write_bytes(path, b"new", overwrite=True)
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_file_systems_without_hard_links_are_supported(tmp_path, monkeypatch):
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("hansproof.generators.output.os.link", no_links)
    write_bytes(tmp_path / "a", b"ours")
    assert (tmp_path / "a").read_bytes() == b"ours"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_missing_folder_or_file_is_reported_in_one_line(tmp_path):
    with pytest.raises(InputError, match=r"gone.a\.jsonl: cannot be written: No such file"):
        write(tmp_path / "gone" / "a.jsonl", [])
    with pytest.raises(InputError, match=r"a\.jsonl: cannot be read: No such file"):
        read(tmp_path / "a.jsonl")
    with pytest.raises(InputError, match=r"cannot be read: Is a directory"):
        read(tmp_path)


def test_every_faulty_line_is_reported(tmp_path):
    good = [item.line() for item in items(9)]
    lines = [
        good[0],
        b"{broken\n",
        b"\n",
        b'{"id": "\xff"}\n',
        good[1],
        good[1],
        good[2].replace(b'"seed":7', b'"seed":NaN'),
        good[3].replace(b'"answer":"no"', b'"answer":"no","answer":"yes"'),
        b"[" * 100_000 + b"\n",
        good[4].replace(b'"seed":7', b'"seed":' + b"9" * 5000),
        b"[1]\n",
        good[5].rstrip(b"\n"),
    ]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines))
    reported = faults(path)
    assert reported[:4] == [
        "line 2: broken JSON at character 2: Expecting property name enclosed in double quotes",
        "line 3: is blank",
        "line 4: byte 9 is not UTF-8",
        "line 6: its id 'd/1.0.0/s/000001' is also on line 5",
    ]
    assert reported[4:7] == [
        "line 7: NaN is not a JSON number",
        "line 8: the key 'answer' occurs twice",
        "line 9: is nested too deeply",
    ]
    assert reported[7].startswith("line 10: ")
    assert reported[8:] == ["line 11: an item must be a JSON object, not a list"]


def test_a_byte_order_mark_is_a_fault(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + dump(items(1)))
    (fault,) = faults(path)
    assert fault == "line 1: begins with a byte order mark; save it as UTF-8 without one"


def test_twenty_faults_are_listed_and_the_rest_are_counted(tmp_path):
    path = tmp_path / "a.jsonl"
    write(path, items(1))
    path.write_bytes(b"{\n" * 33 + path.read_bytes())
    reported = faults(path)
    assert len(reported) == 21
    assert reported[19].startswith("line 20: ")
    assert reported[20] == "... and 13 more (33 faults in all)"


def test_a_file_of_another_kind_is_told_once(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"question": "x\n' * 6)
    assert faults(path) == ["line 1: broken JSON at character 14: Unterminated string; none of its 6 lines can be used"]
    path.write_bytes(b"{\n" * 5)
    assert len(faults(path)) == 5


def test_a_key_of_metadata_has_the_same_type_in_all_rows(tmp_path):
    values = [1, None, 1.5, {"y": 1}]
    rows = [replace(item, metadata={**METADATA, "x": x}) for item, x in zip(items(4), values, strict=True)]
    with pytest.raises(InputError) as caught:
        dump(rows)
    assert str(caught.value).split("\n") == [
        "item 'd/1.0.0/s/000002': metadata.x is a fraction, but an integer on line 1",
        "item 'd/1.0.0/s/000003': metadata.x is an object, but an integer on line 1",
    ]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(row.line() for row in rows))
    assert faults(path)[0] == "line 3: metadata.x is a fraction, but an integer on line 1"


def test_metadata_has_the_same_keys_in_all_rows():
    first, second = items(2)
    rows = [first, replace(second, metadata={**METADATA, "x": 1})]
    with pytest.raises(InputError, match=r"000001': metadata has different keys from line 1: 'x'$"):
        dump(rows)


def test_a_repeated_id_is_not_written():
    rows = items(1) * 2
    with pytest.raises(InputError, match=r"its id 'd/1.0.0/s/000000' is also on line 1"):
        dump(rows)


def test_the_standard_library_reads_the_same_records(tmp_path):
    path = tmp_path / "a.jsonl"
    write(path, items(5))
    with path.open(encoding="utf-8") as file:
        assert [json.loads(line) for line in file] == [item.record() for item in items(5)]


@pytest.mark.parametrize("name", ["word-problems", "knights-knaves"])
def test_a_file_with_all_subsets_of_a_family_is_read_back(name, tmp_path):
    from hansproof.generators.registry import dataset

    family = dataset(name)
    items = [family.item(subset, 5, index) for subset in family.subsets for index in range(2)]
    (tmp_path / "all.jsonl").write_bytes(b"".join(item.line() for item in items))
    assert read(tmp_path / "all.jsonl") == items
