"""hf:// addresses name only datasets on the Hub; an unreachable Hub gives one line."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, Features, Value

from hansproof.audit.reading.hub import Address, check_reachable, parse_address, silence
from hansproof.audit.reading.loading import load
from hansproof.generators.errors import InputError

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("hf://name", Address("name", None, None)),
        ("hf://org/na.me-2_x", Address("org/na.me-2_x", None, None)),
        ("hf://org/name:20220301.en", Address("org/name", "20220301.en", None)),
        ("hf://org/name@train[:10%]", Address("org/name", None, "train[:10%]")),
        ("hf://org/name:a-b@test", Address("org/name", "a-b", "test")),
        ("hf://org/name:Law (High School)@test", Address("org/name", "Law (High School)", "test")),
    ],
)
def test_an_address_is_a_name_or_an_organisation_and_a_name(address: str, expected: Address) -> None:
    assert parse_address(address) == expected


@pytest.mark.parametrize(
    "rest",
    [
        "", "/", "/etc/passwd", "../x", "org/../x", "org/..", ".hidden", "org/.hidden", "a/b/c", "a..b", "./x", "~/x",
        "a b", "C:\\data", "org\\name", "org/name:", "org/name:../x", "org/name@", "org/", "a\n", "ä/b", "-x",
    ],
)  # fmt: skip
def test_anything_else_is_not_an_address(rest: str) -> None:
    with pytest.raises(InputError, match="not an address; write hf://org/name"):
        parse_address(f"hf://{rest}")


@pytest.mark.parametrize("name", ["name", "org/name"])
@pytest.mark.parametrize("kind", ["folder", "file", "dangling link"])
def test_what_exists_in_the_working_directory_is_refused(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    if kind == "folder":
        path.mkdir()
        (path / "train.csv").write_text("text,label\n" + "a,1\nb,2\n" * 20, encoding="utf-8")
    elif kind == "file":
        path.write_text("x", encoding="utf-8")
    else:
        path.symlink_to("nowhere")
    with pytest.raises(InputError, match=rf"hf://{name}: '{name}' also exists in the working directory"):
        load(f"hf://{name}")


@pytest.mark.parametrize("name", ["csv", "json", "parquet", "text"])
def test_readers_of_local_files_are_not_datasets(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.csv").write_text("text,label\n" + "a,1\nb,2\n" * 20, encoding="utf-8")
    with pytest.raises(InputError, match=f"'{name}' is a reader of local files"):
        load(f"hf://{name}")


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        (
            {"HF_HUB_OFFLINE": "1"},
            "hf://org/name: cannot reach the Hub: HF_HUB_OFFLINE is set and the dataset is not in the cache",
        ),
        (
            {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "0"},
            "hf://org/name: cannot reach the Hub at http://127.0.0.1:9 (",
        ),
    ],
)
def test_an_unreachable_hub_gives_one_line(tmp_path: Path, environment: dict[str, str], message: str) -> None:
    code = (
        "import sys, time\nfrom hansproof.audit.reading.loading import load\n"
        "from hansproof.generators.errors import InputError\n"
        "waits = []; time.sleep = waits.append\n"
        "try: load('hf://org/name')\n"
        "except InputError as error: print(error, file=sys.stderr)\n"
        "print(sum(waits) < 10)"
    )
    own = {**os.environ, "HF_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), **environment}
    # The clients' own retries wait for 25 s.
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path, env=own
    )
    assert done.stderr.startswith(message)
    assert (done.stdout, done.stderr.count("\n")) == ("True\n", 1)


def test_a_hub_that_is_down_is_reported_and_other_answers_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.errors import HfHubHTTPError

    class Answer:
        status_code = 503

    def refuse(self: Any, path: str, timeout: float) -> None:
        error = HfHubHTTPError.__new__(HfHubHTTPError)
        error.response = Answer()
        raise error

    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", refuse)
    with pytest.raises(InputError, match=r"^hf://a/b: the Hub at \S+ answers 503: try again later"):
        check_reachable("hf://a/b", "a/b")
    Answer.status_code = 404
    check_reachable("hf://a/b", "a/b")


@pytest.fixture
def dripping() -> Iterator[str]:
    """The address of a server on this machine that answers every request with a header that never ends."""
    listening = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def drip(taken: socket.socket) -> None:
        with taken, contextlib.suppress(OSError):  # the client hangs up when the test is over
            taken.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not ended.wait(0.02):
                taken.sendall(b"a")

    def serve() -> None:
        with contextlib.suppress(OSError):  # closed below
            while True:
                threading.Thread(target=drip, args=listening.accept()[:1], daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    ended.set()
    listening.close()


def test_a_hub_that_drips_its_header_is_given_up(dripping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", dripping)
    monkeypatch.setattr("hansproof.audit.reading.hub.TIMEOUT", 0.4)  # each byte comes well within it
    begun = time.monotonic()
    with pytest.raises(InputError, match=rf"^hf://a/b: cannot reach the Hub at {dripping} \(no end within 0.8 s\)"):
        check_reachable("hf://a/b", "a/b")
    assert 0.8 <= time.monotonic() - begun < 10


def test_silence_ends_where_it_began() -> None:
    import datasets

    logger = logging.getLogger("huggingface_hub")
    before = (logger.level, datasets.are_progress_bars_disabled())
    with silence():
        assert not logger.isEnabledFor(logging.CRITICAL)
        assert datasets.are_progress_bars_disabled()
    assert (logger.level, datasets.are_progress_bars_disabled()) == before


FEATURES = Features({"text": Value("string"), "label": ClassLabel(names=["no", "yes"])})
LABELLED = [{"text": f"item number {n}", "label": n % 2} for n in range(40)]


def test_a_hub_address_gives_name_configuration_and_split(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def served(*names: str | None, split: str | None = None) -> Dataset:
        asked.append((*names, split))
        if names[0] == "org/none":
            raise ConnectionError("Couldn't reach it\nand a long story")
        return Dataset.from_list(LABELLED, features=FEATURES)

    monkeypatch.setattr("datasets.load_dataset", served)
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", lambda self, path, timeout: None)
    benchmark = load("hf://org/name:config@test")
    assert (benchmark.name, benchmark.source) == ("org/name:config", "hf://org/name:config@test")
    assert load("hf://name").answers == ["no", "yes"] * 20
    assert asked == [("org/name", "config", "test"), ("name", None, None)]
    with pytest.raises(InputError, match=r"hf://org/none: cannot reach the Hub: Couldn't reach it$"):
        load("hf://org/none")
    with pytest.raises(InputError, match="not an address"):
        load("hf://")
