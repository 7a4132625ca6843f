"""Downloads from a server that truncates, stalls, fails, lies and redirects."""

import time
from hashlib import sha256

import pytest

from hansproof.fetch.download import download
from hansproof.fetch.transfer import Patience, fetch, shown
from hansproof.generators.errors import DownloadError, InputError


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def get(server, index, patience, tmp_path):
    def call(**options):
        given = {"source": server.url, "cache": tmp_path / "cache", "index": index, "patience": patience}
        return download("small", **{**given, **options})

    return call


def test_a_release_arrives_byte_for_byte_and_nothing_else_with_it(get, files, tmp_path):
    folder = get()
    assert folder == tmp_path / "cache" / "small" / "1.0.0"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files


def test_a_whole_release_is_not_requested_again(get, server):
    get()
    server.requests.clear()
    get()
    assert server.requests == []


def test_a_truncated_answer_is_resumed_where_it_broke_off(get, server, files, waits):
    server.script["one.jsonl"] = [("truncate", 1000), ("truncate_unannounced", 500)]
    folder = get()
    assert (folder / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert [byte_range for name, byte_range in server.requests if name == "one.jsonl"] == [
        None,
        "bytes=1000-",
        "bytes=1500-",
    ]
    assert waits == [1.0, 2.0]


def test_a_later_run_resumes_what_an_earlier_one_left(get, server, files):
    server.script["one.jsonl"] = [("truncate", 1000), 500, 500]
    with pytest.raises(DownloadError, match="HTTP 500"):
        get()
    server.requests.clear()
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert ("one.jsonl", "bytes=1000-") in server.requests


def test_a_server_without_ranges_starts_from_the_beginning(get, server, files):
    server.script["one.jsonl"] = [("truncate", 1000), ("no_ranges",)]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]


def test_after_another_range_than_requested_the_whole_file_is_requested(get, server, files):
    server.script["one.jsonl"] = [("truncate", 1000), ("other_range",)]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert [byte_range for name, byte_range in server.requests if name == "one.jsonl"] == [None, "bytes=1000-", None]


def test_after_a_range_that_the_server_refuses_the_whole_file_is_requested(get, server, files):
    server.script["one.jsonl"] = [("truncate", 1000), 416]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]


def test_500_then_200_is_tried_again_after_growing_waits(get, server, files, waits):
    server.script["two.jsonl"] = [500, 503]
    assert (get() / "two.jsonl").read_bytes() == files["two.jsonl"]
    assert waits == [1.0, 2.0]


def test_tries_are_bounded(get, server, waits):
    server.script["two.jsonl"] = [500] * 10
    with pytest.raises(DownloadError, match=r"small/1.0.0/two.jsonl: HTTP 500"):
        get()
    assert len(server.script["two.jsonl"]) == 7
    assert waits == [1.0, 2.0]


def test_retry_after_is_honoured_up_to_the_longest_wait(get, server, waits):
    server.script["two.jsonl"] = [("later", 2), ("later", 86400)]
    get()
    assert waits == [2.0, 3.0]


def test_404_is_final(get, server, waits, tmp_path):
    server.script["two.jsonl"] = [404]
    with pytest.raises(DownloadError, match=r"two\.jsonl: HTTP 404 Not Found"):
        get()
    assert waits == []
    assert not (tmp_path / "cache" / "small" / "1.0.0" / "two.jsonl").exists()


def test_an_endless_announced_length_is_refused_before_the_body(get, server):
    server.script["two.jsonl"] = [("announce", "9" * 5000)]
    with pytest.raises(DownloadError, match="is larger than the 32 bytes of this file"):
        get()


def test_a_wrong_body_of_the_right_size_never_gets_the_name(get, server, files, tmp_path):
    server.script["two.jsonl"] = [("wrong", bytes(len(files["two.jsonl"])))]
    with pytest.raises(DownloadError, match="is not the file of this release: its SHA-256 differs; try another"):
        get()
    assert names(tmp_path / "cache" / "small" / "1.0.0") == ["one.jsonl"]


def test_a_part_of_another_file_is_dropped_and_the_whole_file_requested(get, server, files):
    server.script["one.jsonl"] = [("unannounced", bytes(1000))]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert [byte_range for name, byte_range in server.requests if name == "one.jsonl"] == [None, "bytes=1000-", None]


@pytest.mark.parametrize("mood", ["wrong", "unannounced"])
def test_an_answer_larger_than_the_file_is_cut_off_and_refused(get, server, files, tmp_path, mood):
    server.script["two.jsonl"] = [(mood, files["two.jsonl"] + bytes(5_000_000))]
    with pytest.raises(DownloadError, match="is larger than the 32 bytes of this file"):
        get()
    assert names(tmp_path / "cache" / "small" / "1.0.0") == ["one.jsonl"]


def test_a_server_that_stalls_is_given_up_and_tried_again(get, server, files, waits):
    server.script["two.jsonl"] = [("stall", 0.5)]
    assert (get() / "two.jsonl").read_bytes() == files["two.jsonl"]
    assert waits == [1.0]


def test_a_server_that_only_stalls_ends_in_an_error(get, server):
    server.script["two.jsonl"] = [("stall", 0.4)] * 3
    with pytest.raises(DownloadError, match=r"two.jsonl: no answer within 0.15 s"):
        get()


def test_a_server_that_drips_is_given_up_and_resumed(get, server, files):
    server.script["one.jsonl"] = [("drip", 0.02)]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]
    resumed = [byte_range for name, byte_range in server.requests if name == "one.jsonl"][1]
    assert 0 < int(resumed.removeprefix("bytes=").rstrip("-")) < len(files["one.jsonl"])


@pytest.mark.parametrize(
    "head",
    [b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;"],
    ids=["headers", "size of a block"],
)
def test_a_server_that_never_ends_a_line_is_given_up(server, tmp_path, head):
    server.script["one.jsonl"] = [("drip_raw", head, 0.05)]  # each byte within the limit of the socket
    begun = time.monotonic()
    with pytest.raises(DownloadError, match=r"no answer within 0.2 s"):
        fetch(
            f"{server.url}/small/1.0.0/one.jsonl", tmp_path / "one.jsonl", 32, "0" * 64, tmp_path,
            Patience(tries=1, connect=0.2, silence=0.2),
        )  # fmt: skip
    assert time.monotonic() - begun < 3  # the server drips for five seconds


def test_a_redirect_to_http_is_followed(get, server, files):
    server.script["one.jsonl"] = [("redirect", f"{server.url}/elsewhere/two.jsonl")]
    server.script["two.jsonl"] = [("wrong", files["one.jsonl"])]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/two.jsonl", "data:,x", "javascript:1"])
def test_a_redirect_to_anything_but_http_is_refused(get, server, target):
    server.script["two.jsonl"] = [("redirect", target)]
    with pytest.raises(DownloadError, match="redirects to an address that is not http or https"):
        get()


def test_the_body_of_a_redirect_is_not_read(get, server, files):
    server.script["one.jsonl"] = [("endless_redirect", "one.jsonl")]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert server.sent < 50_000_000  # what the system took into its buffers, not the hundred million


def test_a_redirected_download_is_resumed_too(get, server, files):
    server.script["one.jsonl"] = [("redirect", "one.jsonl"), ("truncate", 1000), ("redirect", "one.jsonl")]
    assert (get() / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert [byte_range for name, byte_range in server.requests if name == "one.jsonl"][-1] == "bytes=1000-"


def test_a_redirect_in_circles_ends(get, server):
    server.script["two.jsonl"] = [("redirect", "two.jsonl")] * 20
    with pytest.raises(DownloadError, match="redirects more than 5 times"):
        get()


def test_nobody_at_the_address_is_an_error_with_the_address_and_without_the_password(get, index, server):
    port = server.server.server_port
    server.close()
    with pytest.raises(DownloadError, match=rf"^http://127.0.0.1:{port}/small/1.0.0/one.jsonl: the connection failed"):
        get(source=f"http://user:secret@127.0.0.1:{port}")
    server.__init__()  # for the fixture to close
    assert shown("https://user:secret@example.org/a") == "https://example.org/a"


def test_the_next_mirror_has_what_the_first_has_not(get, server, files, write_index, waits):
    path = write_index(base=f"{server.url}/first", mirrors=[f"{server.url}/second"])
    server.script["one.jsonl"] = [404, "well"]
    folder = get(source=None, index=path)
    assert (folder / "one.jsonl").read_bytes() == files["one.jsonl"]


def test_when_all_mirrors_fail_each_says_why(get, server, write_index):
    path = write_index(base=f"{server.url}/first", mirrors=[f"{server.url}/second/"])
    server.script["one.jsonl"] = [404, 403]
    with pytest.raises(DownloadError, match=r"first/small/1.0.0/one.jsonl: HTTP 404 .*\n.*second/small/.*: HTTP 403"):
        get(source=None, index=path)


def test_an_index_with_a_climbing_name_is_refused_before_any_request(get, server, write_index, tmp_path):
    path = write_index({"../../../evil.jsonl": b"evil"})
    with pytest.raises(InputError, match="is refused"):
        get(index=path)
    assert server.requests == []
    assert not list(tmp_path.rglob("evil*"))


def test_no_compressed_answer_is_requested(get, server):
    get()
    assert server.headers["one.jsonl"]["Accept-Encoding"] == "identity"


def test_a_whole_part_is_used_without_a_request(server, patience, files, tmp_path):
    digest = sha256(files["one.jsonl"]).hexdigest()
    (tmp_path / f"{digest}.part").write_bytes(files["one.jsonl"])
    fetch(f"{server.url}/one.jsonl", tmp_path / "one.jsonl", len(files["one.jsonl"]), digest, tmp_path, patience)
    assert (tmp_path / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert server.requests == []


def test_a_part_that_is_too_long_is_dropped_and_the_whole_file_requested(server, patience, files, tmp_path):
    digest = sha256(files["two.jsonl"]).hexdigest()
    (tmp_path / f"{digest}.part").write_bytes(bytes(100))
    fetch(f"{server.url}/two.jsonl", tmp_path / "two.jsonl", len(files["two.jsonl"]), digest, tmp_path, patience)
    assert (tmp_path / "two.jsonl").read_bytes() == files["two.jsonl"]
    assert server.requests == [("two.jsonl", None)]


def test_by_default_there_are_time_outs_and_bounded_waits():
    patience = Patience()
    assert 0 < patience.connect <= 60
    assert 0 < patience.silence <= 60
    assert patience.tries * patience.longest_wait < 300


@pytest.mark.parametrize("target", ["http://[::1", "http://[/two.jsonl", "//[::1/two.jsonl"])
def test_a_redirect_to_what_is_no_address_is_refused(get, server, target):
    server.script["two.jsonl"] = [("redirect", target)]
    with pytest.raises(DownloadError, match="is not a valid address, or redirects to one that is not"):
        get()
