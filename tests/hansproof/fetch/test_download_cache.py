"""The cache: which files are kept, replaced and copied, offline use, and several processes at once."""

import errno
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from hansproof.audit.result_cache import cache_folder
from hansproof.fetch import download as module
from hansproof.fetch.download import download, plan_download, sources
from hansproof.fetch.index import Index, read_index
from hansproof.generators.errors import DownloadError, InputError, UsageError
from hansproof.generators.input import recording

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def mirror(tmp_path, files):
    folder = tmp_path / "mirror" / "small" / "1.0.0"
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return tmp_path / "mirror"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    monkeypatch.delenv("HANSPROOF_BASE_URL", raising=False)
    monkeypatch.delenv("HANSPROOF_CACHE", raising=False)


def test_the_plan_says_download_replace_or_keep_and_changes_nothing(index, tmp_path, files):
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "one.jsonl").write_bytes(files["one.jsonl"])
    (folder / "two.jsonl").write_bytes(bytes(len(files["two.jsonl"])))  # the right size, other bytes
    before = sorted(folder.iterdir())
    plan = plan_download(read_index(index).find("small"), folder)
    assert [(step.file.name, step.action) for step in plan] == [
        ("one.jsonl", "keep"),
        ("two.jsonl", "replace"),
        ("empty.jsonl", "download"),
    ]
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("inside", ["", "small/1.0.0"])
def test_a_folder_can_be_the_source(mirror, index, files, tmp_path, inside):
    folder = download("small@1.0.0", source=mirror / inside, cache=tmp_path / "cache", index=index)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files


def test_a_folder_with_a_wrong_or_no_such_file_is_refused(mirror, index, tmp_path):
    options = {"cache": tmp_path / "cache", "index": index}
    (mirror / "small" / "1.0.0" / "two.jsonl").write_bytes(b"x" * 1000)
    with pytest.raises(DownloadError, match=r"two.jsonl: is not the file of this release"):
        download("small", source=mirror, **options)
    (mirror / "small" / "1.0.0" / "two.jsonl").unlink()
    with pytest.raises(DownloadError, match=r"two.jsonl: cannot be read: No such file"):
        download("small", source=mirror, **options)
    with pytest.raises(DownloadError, match=r"has neither small/1.0.0 nor the files of small@1.0.0"):
        download("small", source=tmp_path, **options)


def test_a_damaged_file_of_the_cache_is_replaced(mirror, index, files, tmp_path):
    options = {"cache": tmp_path / "cache", "index": index}
    folder = download("small", source=mirror, **options)
    (folder / "one.jsonl").write_bytes(files["one.jsonl"][:-1] + b"x")
    heard = []
    download("small", source=mirror, report=heard.append, **options)
    assert (folder / "one.jsonl").read_bytes() == files["one.jsonl"]
    assert heard == ["replace one.jsonl (96,000 bytes)"]


def test_offline_the_cache_is_enough_and_each_missing_file_is_named(mirror, index, files, tmp_path):
    options = {"cache": tmp_path / "cache", "index": index}
    folder = download("small", source=mirror, **options)
    assert download("small", offline=True, **options) == folder
    assert download("small", **options) == folder  # complete, so that no address is needed either
    (folder / "one.jsonl").write_bytes(b"")
    (folder / "two.jsonl").unlink()
    with pytest.raises(DownloadError, match=r"one.jsonl \(damaged\), two.jsonl \(missing\); run again without"):
        download("small", offline=True, source=mirror, **options)


def test_a_complete_cache_is_only_read(mirror, index, tmp_path):
    options = {"cache": tmp_path / "cache", "index": index}
    folder = download("small", source=mirror, **options)
    before = sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "cache").rglob("*"))
    assert download("small", **options) == folder
    assert sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "cache").rglob("*")) == before


def test_a_copy_replaces_other_files_only_with_force(mirror, index, files, tmp_path):
    options = {"source": mirror, "cache": tmp_path / "cache", "index": index, "to": tmp_path / "here"}
    folder = download("small", **options)
    assert folder == tmp_path / "here" / "small" / "1.0.0"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    assert download("small", **options) == folder
    (folder / "two.jsonl").write_bytes(bytes(len(files["two.jsonl"])))
    (folder / "one.jsonl").unlink()
    with pytest.raises(InputError, match=r"two.jsonl: exists and differs; pass --force"):
        download("small", **options)
    assert not (folder / "one.jsonl").exists()  # refused before anything was written
    with recording():  # as in a command
        download("small", force=True, **options)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files


def test_a_copy_serves_as_a_mirror(mirror, index, tmp_path):
    download("small", source=mirror, cache=tmp_path / "cache", index=index, to=tmp_path / "here")
    assert download("small", source=tmp_path / "here", cache=tmp_path / "second", index=index).is_dir()
    assert download("small", source=tmp_path / "cache", cache=tmp_path / "third", index=index).is_dir()


def test_without_an_address_the_error_says_what_to_do(index, tmp_path):
    with pytest.raises(
        UsageError, match=r"no public mirror yet: pass --from URL or --from FOLDER, or set HANSPROOF_BASE_URL"
    ):
        download("small", cache=tmp_path / "cache", index=index)
    assert not (tmp_path / "cache").exists()


def test_the_address_is_the_option_else_the_environment_else_the_index(monkeypatch):
    index = Index((), "https://a.example", ("http://b.example",))
    assert sources(None, index) == ["https://a.example", "http://b.example"]
    monkeypatch.setenv("HANSPROOF_BASE_URL", "https://c.example/data/")
    assert sources(None, index) == ["https://c.example/data/"]
    assert sources("HTTPS://d.example", index) == ["HTTPS://d.example"]


@pytest.mark.parametrize("source", ["ftp://example.org", "file:///tmp", "no/such/folder", "s3://bucket"])
def test_a_source_that_is_neither_address_nor_folder_is_refused(source):
    with pytest.raises(UsageError, match=r"is neither an http\(s\) address nor a folder"):
        sources(source, Index(()))


@pytest.mark.parametrize("source", ["https://", "https://example.org/?a=b", "http://example.org/#x"])
def test_an_address_with_a_query_or_without_a_host_is_refused(source):
    with pytest.raises(UsageError, match="an address needs a host and must not contain"):
        sources(source, Index(()))


def test_the_cache_is_the_option_else_the_environment_else_the_platforms(monkeypatch, tmp_path):
    assert cache_folder().name == "hansproof"
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "set"))
    assert cache_folder() == tmp_path / "set"
    assert cache_folder(tmp_path / "named") == tmp_path / "named"


def test_a_cache_that_cannot_be_created_is_named(mirror, index, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/small/1.0.0: cannot be made: Not a directory"):
        download("small", source=mirror, cache=tmp_path / "file", index=index)


def test_a_link_in_the_cache_is_replaced_not_written_through(mirror, index, files, tmp_path):
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    folder = tmp_path / "cache" / "small" / "1.0.0"
    folder.mkdir(parents=True)
    (folder / "one.jsonl").symlink_to(outside)
    download("small", source=mirror, cache=tmp_path / "cache", index=index)
    assert outside.read_bytes() == b"precious"
    assert (folder / "one.jsonl").read_bytes() == files["one.jsonl"]


def test_two_processes_at_once_fetch_each_file_once_and_leave_a_complete_release(server, index, files, tmp_path):
    server.script["one.jsonl"] = [("drip", 0.0005)]  # long enough for the other one to arrive
    code = (
        "import sys\nfrom hansproof.fetch.download import download\n"
        "print(download('small', source=sys.argv[1], cache=sys.argv[2], index=sys.argv[3]))"
    )
    command = [sys.executable, "-c", code, server.url, str(tmp_path / "cache"), str(index)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    running = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, cwd=tmp_path) for _ in range(2)]
    outputs = [process.communicate(timeout=60)[0].strip() for process in running]
    assert [process.returncode for process in running] == [0, 0]
    folder = tmp_path / "cache" / "small" / "1.0.0"
    assert outputs == [str(folder)] * 2
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    assert sorted(server.requests) == [("empty.jsonl", None), ("one.jsonl", None), ("two.jsonl", None)]


def test_a_process_that_was_killed_leaves_no_lock_and_no_half_file(server, index, files, tmp_path):
    server.script["one.jsonl"] = [("drip", 0.01)]
    code = (
        "import sys\nfrom hansproof.fetch.download import download\n"
        "print(download('small', source=sys.argv[1], cache=sys.argv[2], index=sys.argv[3]))"
    )
    command = [sys.executable, "-c", code, server.url, str(tmp_path / "cache"), str(index)]
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(ROOT)}, cwd=tmp_path)
    folder = tmp_path / "cache" / "small" / "1.0.0"
    for _ in range(2000):
        if any(path.stat().st_size for path in folder.parent.glob(".1.0.0.part/*.part")):
            break
        try:
            process.wait(timeout=0.01)
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    process.wait()
    assert not (folder / "one.jsonl").exists()
    download("small", source=server.url, cache=tmp_path / "cache", index=index)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    assert [name for name, byte_range in server.requests if byte_range] == ["one.jsonl"]
    assert sorted(path.name for path in folder.parent.iterdir()) == [".1.0.0.lock", "1.0.0"]


def test_two_copies_into_one_folder_at_once_both_end_well(mirror, index, files, tmp_path):
    code = (
        "import sys\nfrom hansproof.fetch.download import download\n"
        "print(download('small', source=sys.argv[1], cache=sys.argv[2], index=sys.argv[3], to=sys.argv[4]))"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    for round in range(3):
        to = tmp_path / f"to-{round}"
        command = [sys.executable, "-c", code, *map(str, (mirror, tmp_path / "cache", index, to))]
        running = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        outputs = [process.communicate(timeout=60)[0].strip() for process in running]
        folder = to / "small" / "1.0.0"
        assert outputs == [str(folder)] * 3
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
        assert [path.name for path in folder.parent.iterdir()] == ["1.0.0"]


def test_the_folder_of_unfinished_files_is_left_to_who_holds_the_lock_next(mirror, index, tmp_path, monkeypatch):
    locked = module._locked

    @contextmanager
    def followed(folder, report):
        with locked(folder, report):
            yield
        folder.with_name(f".{folder.name}.part").mkdir()  # the next process begins

    monkeypatch.setattr(module, "_locked", followed)
    folder = download("small", source=mirror, cache=tmp_path / "cache", index=index)
    assert folder.with_name(".1.0.0.part").is_dir()


def test_a_copy_that_appears_while_this_one_waits_is_taken(mirror, index, files, tmp_path, monkeypatch):
    options = {"source": mirror, "cache": tmp_path / "cache", "index": index}
    folder = download("small", **options)
    held = FileLock(folder.with_name(".1.0.0.lock"))
    held.acquire()
    heard = []

    def theirs(line):
        heard.append(line)
        target = tmp_path / "to" / "small" / "1.0.0"
        target.mkdir(parents=True)
        for name, data in files.items():
            (target / name).write_bytes(data)
        held.release()

    assert download("small", to=tmp_path / "to", report=theirs, **options) == tmp_path / "to" / "small" / "1.0.0"
    assert heard == [f"waiting for another download into {folder}"]


def test_a_cache_that_cannot_be_locked_is_copied_from_all_the_same(mirror, index, files, tmp_path, monkeypatch):
    options = {"source": mirror, "cache": tmp_path / "cache", "index": index}
    download("small", **options)

    def refuse(*arguments, **more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    copy = download("small", to=tmp_path / "to", **options)
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == files


def test_a_full_disk_leaves_no_folder_of_the_release(mirror, index, tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("hansproof.generators.output.os.fsync", full)
    with pytest.raises(InputError, match=r"cannot be written: No space left on device"):
        download("small", source=mirror, cache=tmp_path / "cache", index=index)
    # The lock stays: others may wait for it.
    assert sorted(path.name for path in (tmp_path / "cache" / "small").iterdir()) == [".1.0.0.lock"]
