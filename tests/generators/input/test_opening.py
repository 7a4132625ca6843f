import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.input import first_repeated, open_regular, read_regular

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="this system has no named pipes and devices")


def test_a_regular_file_and_a_link_to_one_are_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").symlink_to("a")
    assert read_regular(tmp_path / "a") == read_regular(tmp_path / "b") == b"abc"


@UNIX
def test_a_named_pipe_is_refused_at_once_although_nobody_writes_to_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    begun = time.monotonic()
    for name in ("pipe", "link"):
        with pytest.raises(InputError, match=rf"{name}: is a named pipe, not a regular file; save what it gives"):
            open_regular(tmp_path / name)
    assert time.monotonic() - begun < 1


@UNIX
def test_what_became_a_pipe_after_the_first_look_is_refused_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr("hansproof.generators.input.check_regular", lambda path, called: None)
    with pytest.raises(InputError, match="pipe: is a named pipe"):
        open_regular(tmp_path / "pipe")


@UNIX
def test_devices_and_sockets_are_refused_and_the_null_device_is_an_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="/dev/zero: is a device, not a regular file"):
        open_regular("/dev/zero")
    monkeypatch.chdir(tmp_path)  # the name of a socket has at most 107 bytes
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("here")
        with pytest.raises(InputError, match="the reply: is a socket, not a regular file"):
            open_regular("here", "the reply")
    assert read_regular("/dev/null") == b""


@UNIX
def test_process_substitution_and_dev_stdin_are_read_like_standard_input() -> None:
    code = "import sys; from hansproof.generators.input import read_regular as read; print([*map(read, sys.argv[1:])])"
    shell = f"printf in | {sys.executable} -c '{code}' <(printf sub) /dev/stdin"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[b'sub', b'in']"


@UNIX
def test_what_never_ends_stops_at_the_ceiling() -> None:
    code = "from hansproof.generators.input import read_regular; read_regular('/dev/stdin', limit=10_000)"
    with Path("/dev/zero").open("rb") as zeros:
        done = subprocess.run([sys.executable, "-c", code], stdin=zeros, capture_output=True, text=True, check=False)
    assert "/dev/stdin: more than 10,000 bytes; split it into smaller files" in done.stderr


def test_a_file_above_the_ceiling_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputError, match="sparse: more than 1,073,741,824 bytes"):
        read_regular(tmp_path / "sparse")


def test_the_first_name_that_is_there_twice() -> None:
    assert first_repeated(["a", "b", "c", "b", "a"]) == "b"
    assert first_repeated(["a", "b"]) is None
    begun = time.process_time()
    assert first_repeated([*map(str, range(60_000)), "59999"]) == "59999"
    assert time.process_time() - begun < 1  # counting each anew takes forty seconds
