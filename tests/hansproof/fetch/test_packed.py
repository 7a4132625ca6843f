"""Items kept packed: the same names, digests and lines for everybody who reads, downloads or verifies a release."""

import gzip
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hansproof.fetch.download import download
from hansproof.fetch.index import Index, build, dump, index_entry, read_index
from hansproof.generators.errors import DownloadError, InputError
from hansproof.generators.jsonl import pack, unpacked
from hansproof.release.frozen import read_items, read_release
from hansproof.release.release import pack_items
from hansproof.release.verify import verify

PLAIN = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "1.0.0"
NAME = "unigram.jsonl"


@pytest.fixture
def kept(tmp_path):
    """datasets/planted-cues/1.0.0 with packed items."""
    folder = tmp_path / "datasets" / "planted-cues" / "1.0.0"
    shutil.copytree(PLAIN, folder)
    pack_items(folder)
    return folder


@pytest.fixture
def index(kept, tmp_path):
    path = tmp_path / "index.json"
    path.write_bytes(dump(Index((index_entry(kept),))))
    return path


@pytest.fixture
def serve(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    servers = []

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    def start(folder):
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server, thread in servers:
        server.shutdown()
        server.server_close()
        thread.join()


def test_packed_items_take_a_fraction_of_the_space_and_have_neither_name_nor_time(kept):
    assert not (kept / NAME).exists()
    stored = (kept / f"{NAME}.gz").read_bytes()
    assert len(stored) < len((PLAIN / NAME).read_bytes()) / 4
    assert stored[3:8] == bytes(5)  # flags and time
    assert gzip.decompress(stored) == (PLAIN / NAME).read_bytes()


@pytest.mark.slow
def test_a_packed_release_is_verified_down_to_every_line(kept):
    verification = verify(kept)
    assert verification.passed
    assert [check.faults for check in verification.checks] == [()] * len(verification.checks)
    assert str(verify(PLAIN).checks[1:]) == str(verification.checks[1:])  # the first one names sizes


def test_a_packed_release_is_read_like_a_plain_one(kept):
    assert read_release(kept) == read_release(PLAIN)
    assert read_items(kept / f"{NAME}.gz") == read_items(kept / NAME) == read_items(PLAIN / NAME)


def test_the_index_has_the_digests_of_the_lines_and_of_what_is_stored(kept, index):
    plain, packed = index_entry(PLAIN), read_index(index).releases[0]
    assert [(file.name, file.size, file.sha256) for file in packed.files] == [
        (file.name, file.size, file.sha256) for file in plain.files
    ]
    assert {file.name for file in packed.files if file.packed} == {f"{name}.jsonl" for name in plain.subsets}
    assert packed == index_entry(kept) == build(kept.parents[1]).releases[0]
    size = next(file.packed.size for file in packed.files if file.name == NAME)
    assert size == (kept / f"{NAME}.gz").stat().st_size


def test_a_packed_release_is_downloaded_plain_from_a_folder_and_over_http(kept, index, serve, tmp_path):
    for place in (kept.parents[1], kept, serve(kept.parents[1])):
        folder = download("planted-cues", source=place, cache=tmp_path / f"cache{place}".replace(":", ""), index=index)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
            path.name: path.read_bytes() for path in PLAIN.iterdir()
        }


def test_a_mirror_may_have_the_lines_themselves(index, serve, tmp_path):
    url = serve(PLAIN.parents[1])
    folder = download("planted-cues", source=url, cache=tmp_path / "cache", index=index)
    assert (folder / NAME).read_bytes() == (PLAIN / NAME).read_bytes()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda stored: stored[:-9], "cannot be unpacked"),
        (lambda stored: b"no gzip" + stored, "cannot be unpacked"),
        (lambda stored: pack(gzip.decompress(stored) + b"x" * 1000), "unpacks to more than"),
        (lambda stored: pack(gzip.decompress(stored).replace(b"a", b"b", 1)), "SHA-256 differs"),
    ],
)
def test_damaged_packed_items_are_never_taken(kept, index, tmp_path, damage, said):
    path = kept / f"{NAME}.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DownloadError, match=said):
        download("planted-cues", source=kept, cache=tmp_path / "cache", index=index)
    assert not (tmp_path / "cache" / "planted-cues" / "1.0.0" / NAME).exists()
    verification = verify(kept, regenerate=False)
    assert not verification.passed
    assert [fault.place.rpartition("/")[2].removesuffix(".gz") for fault in verification.checks[0].faults] == [NAME]


def test_items_both_plain_and_packed_are_refused(kept):
    shutil.copy(PLAIN / NAME, kept / NAME)
    assert "was added" in str(verify(kept, regenerate=False).checks[0].faults)
    with pytest.raises(InputError, match="both plain and packed"):
        index_entry(kept)


def test_what_unpacks_to_more_than_allowed_is_not_read_to_its_end(tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(pack(bytes(10**6)))
    with pytest.raises(InputError, match="unpacks to more than 1,000 bytes"):
        unpacked(path, most=1_000)


@pytest.mark.parametrize(
    "wrong", ['{"size": 3}', '{"size": -1, "sha256": "00"}', '"x.gz"', '{"size": 1, "name": "../x"}']
)
def test_a_faulty_packed_entry_keeps_an_index_from_being_trusted(tmp_path, wrong):
    file = f'{{"name": "a.jsonl", "size": 0, "sha256": "{"0" * 64}", "packed": {wrong}}}'
    text = f'{{"base": "", "mirrors": [], "releases": [{{"name": "a", "version": "1.0.0", "files": [{file}]}}]}}'
    (tmp_path / "index.json").write_text(text)
    with pytest.raises(InputError, match=r"`packed` has exactly|not a number of bytes"):
        read_index(tmp_path / "index.json")
