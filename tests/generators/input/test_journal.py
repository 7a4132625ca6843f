"""What is read is noted with the bytes that were read, and never written."""

import hashlib
import os

import pytest

from hansproof.generators.errors import UsageError
from hansproof.generators.input import ABSENT, open_regular, read_regular, recording, refuse_inputs, reserve
from hansproof.generators.jsonl import write_bytes


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("old")
    return tmp_path


def test_the_digest_is_of_the_bytes_that_were_read_not_of_those_that_are_there_later(there):
    with recording() as outer, recording() as inner:
        read_regular("a.txt")
        (there / "a.txt").write_text("new")
    assert inner.digests == outer.digests == {"a.txt": hashlib.sha256(b"old").hexdigest()}


def test_what_was_not_there_not_whole_or_not_twice_the_same_has_no_digest(there):
    (there / "b.txt").write_text("b")
    with recording() as journal:
        with pytest.raises(FileNotFoundError):
            read_regular("none.txt")
        open_regular("b.txt").close()
        read_regular("b.txt")
        read_regular("a.txt")
        (there / "a.txt").write_text("new")
        read_regular("a.txt")
    assert journal.digests == {"none.txt": ABSENT, "b.txt": None, "a.txt": None}


def test_what_was_read_is_not_written_under_any_name_and_what_is_to_be_written_is_not_read(there):
    os.link("a.txt", "hard.txt")
    (there / "link.txt").symlink_to("a.txt")
    with recording():
        read_regular("a.txt")
        for name in ("a.txt", "hard.txt", "link.txt"):
            with pytest.raises(UsageError, match=f"^{name}: is an input of this command; name another file$"):
                write_bytes(name, b"new", overwrite=True)
    with recording():
        reserve("link.txt")
        with pytest.raises(UsageError, match=r"^link\.txt: is an input of this command; name another file$"):
            read_regular("hard.txt")
    write_bytes("a.txt", b"new", overwrite=True)


def test_what_is_read_aside_may_be_replaced(there):
    with recording() as journal:
        with recording(aside=True):
            read_regular("a.txt")
        refuse_inputs("a.txt")
    assert journal.digests == {}
