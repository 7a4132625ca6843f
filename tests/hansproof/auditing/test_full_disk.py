"""A disk that is full when the reports are written costs the reports, and not the audit."""

import errno
import os

import pytest
from click.testing import CliRunner

from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset
from hansproof.terminal.outputs import check_output, write_outputs


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_bytes(dump(dataset("planted-cues").item("none", 5, n) for n in range(40)))
    return tmp_path


def test_the_verdict_is_printed_and_the_reports_that_fit_are_written(there, monkeypatch):
    real, calls = os.fsync, []

    def full_once(descriptor):
        calls.append(descriptor)
        if len(calls) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    monkeypatch.setattr("hansproof.generators.output.os.fsync", full_once)
    reports = ["--json", "a.json", "--html", "a.html", "--items", "i.jsonl"]
    quick = ["--splits", "2", "--permutations", "199", "--no-cache", "--quiet"]
    done = CliRunner().invoke(command_line(), ["audit", "items.jsonl", *quick, *reports])
    assert done.exit_code == 2
    assert done.stdout.splitlines()[0].endswith("INCONCLUSIVE  items")
    assert done.stderr.splitlines()[-1] == "error: a.json: cannot be written: No space left on device"
    assert sorted(path.name for path in there.iterdir()) == ["a.html", "i.jsonl", "items.jsonl"]


def test_a_file_that_appears_during_the_audit_stays(there, monkeypatch):
    check_output("a.json", force=False)
    (there / "a.json").write_text("theirs")
    with pytest.raises(Exception, match=r"a\.json: exists; remove it"):
        write_outputs([("a.json", lambda: b"ours"), ("b.json", lambda: b"ours")], force=False)
    assert ((there / "a.json").read_text(), (there / "b.json").read_text()) == ("theirs", "ours")


@pytest.mark.parametrize("name", ["base_prompt.txt", "items-labels.lst"])
def test_what_is_read_beside_a_benchmark_is_an_input_too(there, name):
    (there / name).write_text("precious")
    done = CliRunner().invoke(command_line(), ["audit", "items.jsonl", "--html", name, "--force"])
    assert (done.exit_code, done.stderr) == (2, f"error: {name}: is an input of this command; name another file\n")
    os.link("items.jsonl", "hard.jsonl")
    done = CliRunner().invoke(command_line(), ["audit", "items.jsonl", "--html", "hard.jsonl", "--force"])
    assert done.stderr == "error: hard.jsonl: is an input of this command; name another file\n"
