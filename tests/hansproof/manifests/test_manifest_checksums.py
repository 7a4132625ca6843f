"""Digests and SHA256SUMS: what the ordinary tools say too."""

from __future__ import annotations

import hashlib
import shutil
import subprocess

import pytest

from hansproof.generators.errors import InputError
from hansproof.release.checksums import digest_of, order_digest, parse_sums, plain_name, sums

A, B = "a" * 64, "b" * 64


def test_the_digest_of_a_file_is_that_of_its_bytes(tmp_path):
    (tmp_path / "f").write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    assert digest_of(tmp_path / "f") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    with pytest.raises(InputError, match=r"none: cannot be read: No such file"):
        digest_of(tmp_path / "none")


def test_the_order_digest_is_over_ids_with_a_newline_each_and_knows_order_and_boundaries():
    assert order_digest(["a", "b"]) == hashlib.sha256(b"a\nb\n").hexdigest()
    assert len({order_digest(ids) for ids in (["a", "b"], ["b", "a"], ["ab"], ["a"], [])}) == 5


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="there is no sha256sum here")
def test_sha256sum_accepts_the_list(tmp_path):
    for name in ("b b.txt", "é.jsonl"):
        (tmp_path / name).write_text(name)
    digests = {name: digest_of(tmp_path / name) for name in ("é.jsonl", "b b.txt")}
    (tmp_path / "SHA256SUMS").write_bytes(sums(digests))
    done = subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_list_is_read_back_sorted_by_name():
    assert sums({"b": B, "a": A}) == f"{A}  a\n{B}  b\n".encode()
    assert parse_sums(sums({"b": B, "a": A}), "S") == {"a": A, "b": B}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (f"{A}  a\nhello\n", r"^S: line 2: not 64 hexadecimal digits"),
        (f"{A[:-1]}  a\n", r"^S: line 1: not 64"),
        (f"{A}  ../a\n", r"^S: line 1: '\.\./a' is not the name of a file in this folder"),
        (f"{A}  /etc/passwd\n", r"'/etc/passwd' is not the name"),
        (f"{A}  a\n{B}  a\n", r"^S: line 2: 'a' is listed twice"),
    ],
)
def test_a_broken_list_is_refused_with_its_line(data, message):
    with pytest.raises(InputError, match=message):
        parse_sums(data.encode(), "S")


def test_a_list_that_is_not_text_is_refused():
    with pytest.raises(InputError, match=r"S: byte 1 is not UTF-8"):
        parse_sums(b"\xff", "S")


def test_plain_names_stay_in_their_folder_on_every_system():
    assert plain_name("a b.jsonl")
    assert not any(map(plain_name, ("", ".", "..", "a/b", "a\\b", "C:x", "a\0")))
