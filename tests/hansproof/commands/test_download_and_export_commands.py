"""`hansproof download` and `hansproof export` as they are typed."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from hansproof.commands.download import download
from hansproof.commands.export import export
from hansproof.fetch.index import Index, dump, index_entry
from hansproof.generators.errors import HansproofError

ROOT = Path(__file__).resolve().parents[3]
DATASETS = ROOT / "datasets"
PLANTED = DATASETS / "planted-cues" / "2.0.0"


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.delenv("HANSPROOF_BASE_URL", raising=False)
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "index.json"
    path.write_bytes(dump(Index((index_entry(PLANTED),))))
    return path


def invoke(command, *arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_download_prints_the_folder_and_talks_on_the_other_channel(index, tmp_path):
    done = invoke(download, "planted-cues@2.0.0", "--from", DATASETS, "--index", index)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{tmp_path / 'cache' / 'planted-cues' / '2.0.0'}\n"
    size = (PLANTED / "unigram.jsonl.gz").stat().st_size
    assert f"download unigram.jsonl.gz ({size:,} bytes)" in done.stderr
    again = invoke(download, "planted-cues@2.0.0", "--offline", "--index", index, "--to", tmp_path / "here")
    assert again.stdout == f"{tmp_path / 'here' / 'planted-cues' / '2.0.0'}\n"
    assert again.stderr == ""


def test_quiet_download_prints_the_folder_alone(index):
    done = invoke(download, "planted-cues", "--from", DATASETS, "--index", index, "--quiet")
    assert (done.stderr, done.stdout.count("\n")) == ("", 1)


def test_what_was_downloaded_is_what_is_in_the_repository(index):
    folder = Path(invoke(download, "planted-cues", "--from", DATASETS, "--index", index).stdout.strip())
    there = {path.name: path.read_bytes() for path in PLANTED.iterdir()}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == there


def test_without_an_address_download_says_that_one_is_needed(index):
    done = invoke(download, "planted-cues", "--index", index)
    assert isinstance(done.exception, HansproofError)
    assert "pass --from URL or --from FOLDER, or set HANSPROOF_BASE_URL" in str(done.exception)


def test_export_prints_the_files_that_it_wrote(tmp_path):
    done = invoke(export, PLANTED, "--to", "inspect", "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    written = done.stdout.splitlines()
    assert str(tmp_path / "out" / "planted_cues.py") in written
    assert all(Path(file).is_file() for file in written)
    again = ["--to", "inspect", "--out", tmp_path / "out", "--quiet"]
    assert invoke(export, PLANTED, *again).stdout == ""


@pytest.mark.parametrize("command", [download, export])
def test_help_has_examples(command):
    assert isinstance(command, click.Command)
    done = invoke(command, "--help")
    assert done.exit_code == 0
    assert "Example" in done.stdout
    assert f"hansproof {command.name} " in done.stdout
