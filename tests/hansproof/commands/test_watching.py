"""Watching a benchmark grow: `diff`, `audit --sarif`, several files at once, and the hook of pre-commit."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.jsonl import read_bytes

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "datasets" / "planted-cues" / "2.0.0"
QUICK = ["--permutations", "199", "--splits", "2", "--folds", "3"]
HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))[0]


def run(*arguments):
    return CliRunner().invoke(command_line(), [str(argument) for argument in arguments])


@pytest.mark.slow
def test_a_benchmark_that_grew_a_cue_is_worse(tmp_path):
    old, new, bench = tmp_path / "old.json", tmp_path / "new.json", tmp_path / "bench.jsonl"
    bench.write_bytes(read_bytes(SAMPLE / "none.jsonl.gz"))
    run("audit", bench, "--json", old, *QUICK)
    bench.write_bytes(read_bytes(SAMPLE / "unigram.jsonl.gz"))
    run("audit", bench, "--json", new, *QUICK)
    done = run("diff", old, new)
    assert done.exit_code == 1, done.output
    assert re.search("INCONCLUSIVE|CLEAN", done.stdout)
    assert "LEAKS" in done.stdout
    assert run("diff", new, old).exit_code == 0
    document = json.loads(run("diff", old, new, "--json").stdout)
    assert document["worse"] is True
    assert document["benchmarks"][0]["kappas"][0]["low"] > 0
    assert hansproof.diff(old, new).worse


def test_what_is_no_audit_is_exit_2(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    done = run("diff", tmp_path / "x.json", tmp_path / "none.json")
    assert done.exit_code == 2
    assert done.stderr == f"error: {tmp_path / 'x.json'}: not an audit result: no `schema` at the top; " + (
        "expected what `audit --json` writes\n"
    )


@pytest.mark.slow
def test_sarif_has_the_lines_of_the_giveaways_and_the_same_fingerprints_in_any_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = read_bytes(SAMPLE / "unigram.jsonl.gz").decode().splitlines()
    prints, places = [], []
    for order in (lines, random.Random(3).sample(lines, len(lines))):
        Path("bench.jsonl").write_text("".join(f"{line}\n" for line in order), "utf-8")
        assert run("audit", "bench.jsonl", "--sarif", "log.sarif", "--force", *QUICK).exit_code == 1
        entries = json.loads(Path("log.sarif").read_bytes())["runs"][0]["results"]
        gifts = [entry for entry in entries if entry["ruleId"] == "LEAK004"]
        for entry in gifts:
            line = entry["locations"][0]["physicalLocation"]["region"]["startLine"]
            assert json.loads(order[line - 1])["prompt"][:40] in entry["message"]["text"]
        prints.append({entry["partialFingerprints"]["hansproof/v1"] for entry in entries})
        places.append([entry["locations"] for entry in gifts])
    assert prints[0] == prints[1]
    assert places[0] != places[1]


@pytest.mark.slow
def test_several_files_are_audited_one_by_one(tmp_path):
    done = run(
        "audit", SAMPLE / "none.jsonl.gz", SAMPLE / "imbalance.jsonl.gz", "--quiet", "--json", tmp_path / "a", *QUICK
    )
    assert done.exit_code == 1
    assert [line.split()[-1] for line in done.stdout.splitlines()] == ["imbalance", "none"], "the worst first"
    assert [result["name"] for result in json.loads((tmp_path / "a").read_bytes())["results"]] == ["none", "imbalance"]
    done = run("audit", SAMPLE / "none.jsonl.gz", "-")
    assert (done.exit_code, "standard input is one benchmark" in done.stderr) == (2, True)


def test_the_hook_is_a_valid_manifest():
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_the_hook_fails_for_a_leak_alone_and_passes_what_is_open():
    words = HOOK["entry"].split()
    assert words[0] == "hansproof"
    assert run(*words[1:], SAMPLE / "none.jsonl.gz", *QUICK).exit_code == 0
    done = run(*words[1:], SAMPLE / "none.jsonl.gz", SAMPLE / "unigram.jsonl.gz", *QUICK)
    assert done.exit_code == 1
    assert "LEAKS" in done.stdout
    for name, matches in (("data/test.jsonl", True), ("a.csv", True), ("b.tsv", True), ("c.py", False)):
        assert bool(re.search(HOOK["files"], name)) is matches
