"""Files that appear whole or not at all: alone and together, beside links, and after a process that was killed."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof.generators import output
from hansproof.generators.errors import InputError
from hansproof.generators.output import appearing, make_folders, preparing, sweep, write_together


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_the_longest_name_that_the_system_allows_can_be_written(tmp_path):
    path = tmp_path / ("a" * 255)
    with appearing(path) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole"


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with appearing(path, overwrite=True) as file:
        file.write(b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)


def test_a_link_to_nothing_is_not_replaced(tmp_path):
    (tmp_path / "link").symlink_to("gone")
    with pytest.raises(InputError, match="link: is a link to nothing; remove it"), appearing(tmp_path / "link", True):
        pass
    assert names(tmp_path) == ["link"]


def test_without_hard_links_a_file_that_appears_meanwhile_stays(tmp_path, monkeypatch):
    def no_links(*_, **__):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(output.os, "link", no_links)
    checked = []
    real = output._check
    monkeypatch.setattr(output, "_check", lambda *given: checked.append(given) or (len(checked) < 2 and real(*given)))

    def write():
        with appearing(tmp_path / "a") as file:
            file.write(b"ours")
            (tmp_path / "a").write_bytes(b"theirs")

    with pytest.raises(InputError, match="a: exists"):
        write()
    assert (names(tmp_path), (tmp_path / "a").read_bytes()) == (["a"], b"theirs")


def test_several_files_are_written_together(tmp_path):
    write_together(tmp_path / "new", {"a": b"1", "rows/b": b"2"})
    assert names(tmp_path) == ["new", "new/a", "new/rows", "new/rows/b"]


@pytest.mark.parametrize("raised", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_several_files_that_cannot_all_be_written_leave_what_was_there(tmp_path, monkeypatch, call, raised):
    (tmp_path / "b").write_bytes(b"old b")
    (tmp_path / "d").write_bytes(b"old d")
    before = names(tmp_path)
    calls = []
    owner = Path if call == "replace" else output.os
    real = getattr(owner, call)

    def failing(*given):
        calls.append(given)
        if len(calls) == 2:
            raise raised
        return real(*given)

    monkeypatch.setattr(owner, call, failing)
    files = {"new/a": b"a", "b": b"new b", "c": b"c", "d": b"new d"}
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_together(tmp_path, files, overwrite=True)
    assert names(tmp_path) == before
    assert ((tmp_path / "b").read_bytes(), (tmp_path / "d").read_bytes()) == (b"old b", b"old d")


def test_what_somebody_else_wrote_between_two_moves_is_not_taken_back(tmp_path, monkeypatch):
    real = output._move_where_nothing_is

    def slow(part, path):
        real(part, path)
        (tmp_path / "b").write_bytes(b"theirs")

    monkeypatch.setattr(output, "_move_where_nothing_is", slow)
    with pytest.raises(InputError, match="b: exists"):
        write_together(tmp_path, {"a": b"1", "b": b"2"})
    assert (names(tmp_path), (tmp_path / "b").read_bytes()) == (["b"], b"theirs")


def test_a_folder_that_is_a_link_is_not_written_through(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "rows").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="rows: is a link, and would be written through"):
        write_together(tmp_path / "out", {"a": b"1", "rows/b": b"2"})
    assert names(tmp_path) == ["elsewhere", "out", "out/rows"]
    (tmp_path / "linked").symlink_to(tmp_path / "elsewhere")  # the folder that the user names may be one
    assert make_folders(tmp_path / "linked", tmp_path / "linked") == []


KILLED = """
import os, signal, sys
from pathlib import Path
from hansproof.generators.output import appearing
from hansproof.generators.output import preparing
with preparing(Path(sys.argv[1])) as folder, appearing(Path(sys.argv[1], "a")) as file:
    (folder / "half").write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL, and parts are swept after a day")
def test_the_next_run_sweeps_what_a_killed_one_left(tmp_path):
    root = Path(__file__).resolve().parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], env=environment, check=False)
    assert len(list(tmp_path.iterdir())) == 2
    with preparing(tmp_path), appearing(tmp_path / "b") as file:
        file.write(b"whole")
        sweep(tmp_path)  # what is being written stays
    assert names(tmp_path) == ["b"]


def test_parts_of_other_machines_stay_for_a_day(tmp_path):
    part = tmp_path / ".hansproof-00000000-1-0123456789abcdef.part"
    part.write_bytes(b"")
    sweep(tmp_path)
    assert part.exists()
    os.utime(part, (1, 1))
    sweep(tmp_path)
    assert not part.exists()
