"""`hansproof verify` on the command line: data on standard output, exit 0, 1 or 2."""

from __future__ import annotations

import json

from click.testing import CliRunner

from hansproof.command_line import COMMANDS, command_line
from hansproof.commands.verify import verify


def run(*words):
    # In this process: others would not know the family of these tests.
    return CliRunner().invoke(verify, [*map(str, words), "--workers", "1"])


def test_a_release_that_is_as_it_should_be_passes_every_check(frozen):
    done = run(frozen)
    assert done.exit_code == 0, done.output
    assert "ok        regenerated    2 files regenerated with seed 3" in done.output
    assert done.output.endswith("tiny 1.0.0: every check passed\n")


def test_no_regenerate_says_that_nothing_was_made_again(frozen):
    done = run(frozen, "--no-regenerate")
    assert done.exit_code == 0
    assert "not done  regenerated    skipped on request" in done.output
    assert done.output.endswith("tiny 1.0.0: every check that was made passed; not made: regenerated\n")


def test_a_fault_is_exit_1_with_a_line_of_its_own(frozen):
    (frozen / "sums.jsonl.gz").unlink()
    done = run(frozen)
    assert done.exit_code == 1
    assert "          sums.jsonl.gz: is missing; SHA256SUMS lists it\n" in done.output
    assert done.output.endswith("tiny 1.0.0: FAILED\n")


def test_json_holds_every_check(frozen):
    record = json.loads(run(frozen, "--json").output)
    assert (record["passed"], record["release"], len(record["checks"])) == (True, "tiny 1.0.0", 8)
    (frozen / "extra").write_text("")
    done = run(frozen, "--json")
    checks = {check["name"]: check for check in json.loads(done.output)["checks"]}
    assert done.exit_code == 1
    assert checks["checksums"]["faults"] == ["extra: was added; SHA256SUMS does not list it"]
    assert checks["gold"] == {
        "name": "gold", "status": "ok", "note": "22 gold answers checked by a second method", "faults": []
    }  # fmt: skip


def test_what_is_no_release_is_exit_2(tmp_path, monkeypatch):
    monkeypatch.setitem(COMMANDS, "verify", "hansproof.commands.verify:verify")
    done = CliRunner().invoke(command_line(), ["verify", str(tmp_path)])
    assert done.exit_code == 2
    assert "so it is not a release" in done.output
