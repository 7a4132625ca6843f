"""Results of earlier runs: used for the same input and settings, for nothing else, and never trusted when damaged."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.loading import Columns
from audit.run import audit
from audit.settings import make_settings
from generators.input.journal import recording
from hansproof.auditing import cache as module
from hansproof.auditing.cache import ResultCache
from hansproof.command_line import command_line

QUICK = ["--permutations", "99", "--splits", "1", "--folds", "3"]
SAID = "the result of an earlier run; --no-cache audits anew\n"


@pytest.fixture
def bench(tmp_path):
    """Twenty items, which are too few to be measured, so that the audit takes no time."""
    path = tmp_path / "bench.csv"
    path.write_text("question,label\n" + "".join(f"Is number {n} odd?,{('yes', 'no')[n % 2]}\n" for n in range(20)))
    return path


@pytest.fixture
def measured(monkeypatch):
    """How often `examine` was called."""
    from audit import run as home

    calls = []
    real = home.examine
    monkeypatch.setattr(home, "examine", lambda *given, **options: calls.append(given) or real(*given, **options))
    return calls


def run(*arguments):
    return CliRunner().invoke(command_line(), ["audit", *map(str, arguments), *QUICK])


def test_a_second_report_is_the_first_one_without_an_audit(bench, measured):
    first, second = run(bench, "--json", "-"), run(bench, "--json", "-")
    assert (first.exit_code, first.stdout) == (second.exit_code, second.stdout)
    assert second.stderr == SAID + first.stderr
    assert len(measured) == 1


def test_other_bytes_other_settings_and_other_columns_are_audited(bench, measured):
    run(bench)
    run(bench, "--seed", "7")
    run(bench, "--answer", "label")
    bench.write_text(bench.read_text() + "Is number 20 odd?,no\n")
    assert SAID not in run(bench).stderr
    assert len(measured) == 4


def test_items_and_no_cache_are_audited_anew(bench, measured, tmp_path):
    run(bench)
    run(bench, "--items", tmp_path / "items.jsonl")
    assert (tmp_path / "items.jsonl").exists()
    run(bench, "--no-cache")
    assert len(measured) == 3


def test_no_cache_keeps_nothing(bench, measured):
    run(bench, "--no-cache")
    run(bench)
    assert len(measured) == 2


def test_other_code_or_libraries_make_other_results(bench, monkeypatch):
    cache = ResultCache(Columns(), make_settings())
    with recording() as journal:
        result = audit(str(bench))
    cache.keep(str(bench), None, result, journal.digests)
    assert cache.recall(str(bench)) is not None
    monkeypatch.setattr(module, "_method", lambda: ["another version"])
    assert ResultCache(Columns(), make_settings()).recall(str(bench)) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b'"items": 20', b'"items": 21'),
        lambda data: b"\x80\x04\x95" + data,
        lambda data: b"[]",
    ],
)
def test_a_damaged_entry_is_ignored_and_written_anew(bench, measured, tmp_path, monkeypatch, damage):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    first = run(bench, "--json", "-").stdout
    (entry,) = (tmp_path / "cache" / "audits").rglob("*.json")
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert run(bench, "--json", "-").stdout == first
    assert len(measured) == 2
    assert entry.read_bytes() == whole
    assert json.loads(whole.split(b"\n", 2)[2])["items"] == 20


def test_a_cache_that_cannot_be_written_stops_nothing(bench, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "file"))
    assert run(bench).exit_code == 2  # not assessed
    assert run(bench).stderr == ""


def test_standard_input_is_not_remembered(bench, measured):
    for _ in range(2):
        CliRunner().invoke(command_line(), ["audit", "-"], input='{"prompt": "a", "answer": "b"}\n' * 3)
    assert len(measured) == 2


def test_a_base_prompt_that_comes_changes_or_goes_beside_a_table_makes_another_result(bench, measured):
    prompt = bench.parent / "base_prompt.txt"
    run(bench)
    for text in ("Say: {{question}}", "Tell: {{question}}"):  # as LegalBench has it
        prompt.write_text(text, encoding="utf-8")
        assert SAID not in run(bench).stderr
        assert SAID in run(bench).stderr
    prompt.unlink()
    assert SAID not in run(bench).stderr
    assert len(measured) == 4


def test_a_recipe_is_part_of_what_a_result_follows_from(bench, measured):
    run(bench)
    run(bench, "--recipe", "commonsense-qa-2")
    run(bench, "--recipe", "commonsense-qa-2")
    assert len(measured) == 2


def test_a_result_that_another_user_wrote_is_not_believed(bench, measured, tmp_path, monkeypatch):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    run(bench)
    monkeypatch.setattr(module.os, "geteuid", lambda: os.getuid() + 1)
    run(bench)
    assert len(measured) == 2


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_an_entry_that_is_no_plain_file_is_not_read_and_never_waited_for(bench, measured, tmp_path, monkeypatch, kind):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    first = run(bench, "--json", "-").stdout
    (entry,) = (tmp_path / "cache" / "audits").rglob("*.json")
    moved = entry.rename(tmp_path / "moved")
    entry.symlink_to(moved) if kind == "link" else os.mkfifo(entry)
    assert run(bench, "--json", "-").stdout == first
    assert len(measured) == 2


def test_only_its_user_can_look_into_the_cache(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    run(bench)
    assert (tmp_path / "cache" / "audits").stat().st_mode & 0o077 == 0


def test_standard_input_is_not_taken_for_a_file_of_that_name(bench, measured, monkeypatch):
    monkeypatch.chdir(bench.parent)
    Path("-").write_bytes(bench.read_bytes())
    CliRunner().invoke(command_line(), ["audit", "-", *QUICK], input=bench.read_bytes())
    other = CliRunner().invoke(command_line(), ["audit", "-", *QUICK], input='{"prompt": "a", "answer": "b"}\n' * 3)
    assert "Only 3 items" in other.stdout
    assert len(measured) == 2


def test_a_cache_of_nobody_is_one_line(bench, monkeypatch):
    monkeypatch.setenv("HANSPROOF_CACHE", "~nobody-at-all/cache")
    done = run(bench)
    said = "~nobody-at-all/cache: the cache folder is that of a user who does not exist; name another"
    assert (done.exit_code, done.stderr) == (2, f"error: {said}\n")


def test_a_remembered_result_does_not_hide_a_wrong_option(bench):
    run(bench)
    done = run(bench, "--workers", "-1")
    assert (done.exit_code, "workers is -1" in done.stderr) == (2, True)
