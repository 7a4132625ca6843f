"""Packed items: small, the same files at every place, and never taken where they are damaged."""

import gzip
import shutil

import pytest

from hansproof.fetch.download import download, load
from hansproof.fetch.index import Index, dump, index_entry
from hansproof.generators import jsonl
from hansproof.generators.errors import DownloadError, InputError
from hansproof.generators.jsonl import pack, read, read_bytes
from hansproof.release.frozen import read_items, read_release


@pytest.fixture
def index(frozen, tmp_path):
    path = tmp_path / "index.json"
    path.write_bytes(dump(Index((index_entry(frozen),))))
    return path


def test_packed_items_take_less_space_and_have_neither_name_nor_time(frozen):
    stored = (frozen / "sums.jsonl.gz").read_bytes()
    assert len(stored) < len(read_bytes(frozen / "sums.jsonl.gz")) / 4
    assert stored[3:8] == bytes(5)  # flags and time
    assert gzip.decompress(stored) == read_bytes(frozen / "sums.jsonl.gz")


def test_a_folder_of_plain_items_is_read_like_the_release(frozen, tmp_path):
    for name in ("sums", "parity"):
        (tmp_path / f"{name}.jsonl").write_bytes(read_bytes(frozen / f"{name}.jsonl.gz"))
    plain = {subset.name: subset for subset in read_release(tmp_path).subsets}
    assert [plain[subset.name] for subset in read_release(frozen).subsets] == list(read_release(frozen).subsets)
    assert read_items(frozen / "sums.jsonl") == read_items(frozen / "sums.jsonl.gz") == read(tmp_path / "sums.jsonl")


def test_every_place_has_the_same_files(frozen, index, tmp_path):
    there = {path.name: path.read_bytes() for path in frozen.iterdir()}
    options = {"cache": tmp_path / "cache", "index": index}
    for place in (frozen, frozen.parents[1]):
        folder = download("tiny", source=place, to=tmp_path / "to", **options)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == there
    assert load("tiny", subset="sums", as_="items", offline=True, **options) == read(frozen / "sums.jsonl.gz")
    assert read_items(folder) == read_items(frozen)


@pytest.mark.parametrize(
    "damage",
    [
        lambda stored: stored[:-9],
        lambda stored: b"no gzip" + stored,
        lambda stored: pack(gzip.decompress(stored) + b"x" * 1000),
        lambda stored: gzip.compress(gzip.decompress(stored), compresslevel=1, mtime=0),
    ],
    ids=["cut", "no gzip", "longer", "packed anew"],
)
def test_other_bytes_than_those_of_the_index_are_never_taken(frozen, index, tmp_path, damage):
    path = frozen / "sums.jsonl.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DownloadError, match="is not the file of this release"):
        download("tiny", source=frozen, cache=tmp_path / "cache", index=index)
    assert not (tmp_path / "cache" / "tiny" / "1.0.0" / path.name).exists()


def test_items_beside_those_of_the_release_are_refused(frozen):
    shutil.copy(frozen / "sums.jsonl.gz", frozen / "more.jsonl.gz")
    (frozen / "sums.jsonl").write_bytes(read_bytes(frozen / "sums.jsonl.gz"))
    with pytest.raises(InputError, match=r"(?s)more\.jsonl\.gz: is not what SHA256SUMS.*sums\.jsonl: is not what"):
        read_release(frozen)


def test_what_unpacks_to_more_than_allowed_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonl, "_MOST", 1_000)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(pack(bytes(10**6)))
    with pytest.raises(InputError, match="unpacks to more than 1,000 bytes"):
        read_bytes(path)
