"""hf:// addresses name only datasets on the Hub; an unreachable Hub gives one line."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
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


def test_what_the_hub_answers_is_left_to_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.errors import HfHubHTTPError

    def refuse(self: Any, path: str, timeout: float) -> None:
        raise HfHubHTTPError.__new__(HfHubHTTPError)

    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", refuse)
    check_reachable("hf://a/b", "a/b")


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
