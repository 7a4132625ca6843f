"""The index: its entries for the releases in the repository, and everything that it refuses."""

import json
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from hansproof.fetch.index import Index, IndexFile, Release, build, dump, index_entry, read_index
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import pack

ROOT = Path(__file__).resolve().parents[3]
DATASETS = ROOT / "datasets"
PLANTED = DATASETS / "planted-cues" / "2.0.0"


def release_folder(tmp_path, files, sums=True):
    folder = tmp_path / "small" / "1.0.0"
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    if sums:
        lines = [f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
        (folder / "SHA256SUMS").write_text("".join(lines))
    return folder


def index_text(file):
    release = {"name": "small", "version": "1.0.0", "files": [file]}
    return json.dumps({"base": "", "mirrors": [], "releases": [release]})


def test_the_shipped_index_matches_the_release_folders():
    shipped = read_index()
    again = build(DATASETS, shipped.base, shipped.mirrors)
    assert again == shipped
    assert dump(again) == (ROOT / "hansproof" / "fetch" / "index.json").read_bytes()


def test_an_entry_has_the_digests_that_sha256sum_has():
    entry = {file.name: file for file in index_entry(PLANTED).files}
    done = subprocess.run(["sha256sum", *sorted(entry)], cwd=PLANTED, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        digest, name = line.split("  ")
        assert entry[name].sha256 == digest
        assert entry[name].size == len((PLANTED / name).read_bytes())


def test_subsets_stand_in_the_order_of_the_manifest():
    entry = index_entry(PLANTED)
    order = [subset["name"] for subset in json.loads((PLANTED / "manifest.json").read_text())["subsets"]]
    assert list(entry.subsets) == order
    assert order != sorted(order)  # else this says nothing
    others = [file.name for file in entry.files[len(order) :]]
    assert others == sorted(others)


def test_an_index_that_is_written_is_read_back_the_same(tmp_path):
    file = IndexFile("audit/heat-map.svg", 3, "0" * 64)
    index = Index((Release("small", "1.0.0", (file,)),), "https://example.org/data", ("https://example.net",))
    (tmp_path / "index.json").write_bytes(dump(index))
    assert read_index(tmp_path / "index.json") == index
    (tmp_path / "none.json").write_bytes(dump(Index(())))
    assert read_index(tmp_path / "none.json") == Index(())


def test_without_a_version_the_newest_is_found_by_number_not_by_spelling():
    file = (IndexFile("a.jsonl", 0, "0" * 64),)
    index = Index(tuple(Release("small", version, file) for version in ("1.9.0", "1.10.0", "1.2.11")))
    assert index.find("small").version == "1.10.0"
    assert index.find("small@1.2.11").version == "1.2.11"


def test_an_unknown_name_or_version_is_answered_with_the_known_ones():
    index = read_index()
    with pytest.raises(
        UsageError, match=r"no release 'planted-cue'. Did you mean 'planted-cues'\? Known: .*planted-cues"
    ):
        index.find("planted-cue")
    with pytest.raises(UsageError, match=r"planted-cues has no version '9.9.9'. Known: 2.0.0"):
        index.find("planted-cues@9.9.9")
    with pytest.raises(UsageError, match="None is known"):
        Index(()).find("planted-cues")


CLIMBING = ["../evil.jsonl", "a/../../evil", "..", ".", "", "/etc/passwd", "a//b", "a/", "..\\evil", "a\\b"]
FOREIGN = ["C:evil", "C:/evil", "nul\0.jsonl", "a\n", ".hidden", "con", "NUL.jsonl", "a/aux.txt", "dot.", "space "]


@pytest.mark.parametrize("name", [*CLIMBING, *FOREIGN, "é", "x" * 201, None, 7])
def test_a_name_that_could_leave_the_folder_is_refused(tmp_path, name):
    path = tmp_path / "index.json"
    path.write_text(index_text({"name": name, "size": 1, "sha256": "0" * 64}))
    with pytest.raises(InputError, match=r"index.json: releases\[0\]: the file name .* is refused"):
        read_index(path)


@pytest.mark.parametrize("name", ["unigram.jsonl", "S-3.jsonl", "SHA256SUMS", "audit/a_b.c+d-1.svg", "x" * 200])
def test_a_plain_name_is_accepted(tmp_path, name):
    path = tmp_path / "index.json"
    path.write_text(index_text({"name": name, "size": 1, "sha256": "0" * 64}))
    assert read_index(path).releases[0].files[0].name == name


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ({"name": "a", "size": -1, "sha256": "0" * 64}, "the size -1 is not"),
        ({"name": "a", "size": True, "sha256": "0" * 64}, "the size True is not"),
        ({"name": "a", "size": 1.0, "sha256": "0" * 64}, "the size 1.0 is not"),
        ({"name": "a", "size": 1, "sha256": "0" * 63}, "is not 64 lower-case"),
        ({"name": "a", "size": 1, "sha256": "A" * 64}, "is not 64 lower-case"),
        ({"name": "a", "size": 1}, "exactly `name`, `size` and `sha256`"),
        ("a", "exactly `name`, `size` and `sha256`"),
    ],
)
def test_a_file_entry_that_is_not_what_it_must_be_is_refused(tmp_path, file, message):
    path = tmp_path / "index.json"
    path.write_text(index_text(file))
    with pytest.raises(InputError, match=message):
        read_index(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n1", "broken JSON at line 2 character 1"),
        ("[" * 100_000, "is nested too deeply"),
        ("[]", "is not an index"),
        ('{"base": 1, "mirrors": "x", "releases": []}', "base is not a string\n.*mirrors is not a list"),
        ('{"base": "", "mirrors": [], "releases": [1]}', r"releases\[0\]: a release has exactly"),
        (
            '{"base": "", "mirrors": [], "releases": [{"name": "../a", "version": "1.0", "files": []}]}',
            "the name '../a' .*\n.*the version '1.0' .*\n.*has no files",
        ),
    ],
)
def test_anything_but_an_index_is_refused_with_every_fault(tmp_path, text, message):
    path = tmp_path / "index.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_index(path)


def test_duplicates_are_refused(tmp_path):
    file = {"name": "a.jsonl", "size": 1, "sha256": "0" * 64}
    release = {"name": "small", "version": "1.0.0", "files": [file, file | {"name": "A.jsonl"}]}
    path = tmp_path / "index.json"
    path.write_text(json.dumps({"base": "", "mirrors": [], "releases": [release]}))
    with pytest.raises(InputError, match=r"'A.jsonl' is listed twice"):
        read_index(path)
    release["files"] = [file]
    path.write_text(json.dumps({"base": "", "mirrors": [], "releases": [release, release]}))
    with pytest.raises(InputError, match=r"small@1.0.0 is listed twice"):
        read_index(path)


def test_a_missing_index_is_named(tmp_path):
    with pytest.raises(InputError, match=r"no\.json: cannot be read: No such file"):
        read_index(tmp_path / "no.json")


def test_only_a_finished_folder_whose_sums_agree_gets_an_entry(tmp_path):
    folder = release_folder(tmp_path, {"a.jsonl": b"{}\n"}, sums=False)
    with pytest.raises(InputError, match="has no SHA256SUMS"):
        index_entry(folder)
    (folder / "SHA256SUMS").write_text(f"{'0' * 64}  a.jsonl\n{'0' * 64}  gone.jsonl\n")
    (folder / "b.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match=r"(?s)'gone.jsonl'.*a.jsonl does not match.*b.jsonl is not in"):
        index_entry(folder)


def test_a_folder_with_a_link_or_an_unsafe_name_gets_no_entry(tmp_path):
    folder = release_folder(tmp_path, {"a.jsonl": b"{}\n", "b c.jsonl": b""})
    with pytest.raises(InputError, match=r"the file name 'b c.jsonl' is refused"):
        index_entry(folder)
    (folder / "link.jsonl").symlink_to(folder / "a.jsonl")
    with pytest.raises(InputError, match=r"link\.jsonl: is a link, not a plain file"):
        index_entry(folder)


def test_the_same_items_plain_and_packed_get_no_entry(tmp_path):
    folder = release_folder(tmp_path, {"a.jsonl": b"{}\n", "a.jsonl.gz": pack(b"{}\n")})
    with pytest.raises(InputError, match=r"the file 'a.jsonl.gz' is listed twice, plain and packed"):
        index_entry(folder)


def test_a_folder_not_named_after_a_version_gets_no_entry(tmp_path):
    folder = release_folder(tmp_path, {"a.jsonl": b"{}\n"})
    moved = folder.rename(folder.with_name("latest"))
    with pytest.raises(InputError, match=r"the version 'latest' is not MAJOR.MINOR.PATCH"):
        index_entry(moved)
