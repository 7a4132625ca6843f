"""Results of earlier runs: used for the same input and settings, for nothing else, and never trusted when damaged."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof.audit import result_cache as module
from hansproof.audit.reading.loading import Columns
from hansproof.audit.result_cache import ResultCache
from hansproof.audit.run import audit
from hansproof.audit.settings import make_settings
from hansproof.command_line import command_line
from hansproof.generators.input import recording

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
    from hansproof.audit import run as home

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


def test_python_shares_the_results_of_the_command_line(bench, measured):
    run(bench)
    how = {"permutations": 99, "splits": 1, "folds": 3}
    first = audit(str(bench), **how)
    assert audit(bench, **how) == first
    assert len(measured) == 1
    assert audit(bench, **how, name="odd").name == "odd"
    assert audit(bench, **how, cache=False) == first
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


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o604])
def test_an_entry_that_others_can_open_is_not_believed(bench, measured, tmp_path, monkeypatch, mode):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    run(bench)
    (entry,) = (tmp_path / "cache" / "audits").rglob("*.json")
    entry.chmod(mode)
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


def test_a_file_that_pointed_to_its_data_is_audited_anew_when_it_is_the_data(bench, measured):
    questions = "".join(f'{{"q": "Is {n} odd?", "a": "{("no", "yes")[n % 2]}"}}\n' for n in range(20))
    data, task = bench.parent / "docs.jsonl", bench.parent / "task"
    data.write_text(questions)
    task.write_text(
        "task: odd\ndataset_path: json\ndataset_kwargs:\n  data_files: docs.jsonl\n"
        "doc_to_text: 'Number {{q}}'\ndoc_to_target: '{{a}}'\n"
    )
    first = run(task, "--prompt", "prompt", "--answer", "answer", "--json", "-").stdout
    assert SAID in run(task, "--prompt", "prompt", "--answer", "answer").stderr
    data.write_text(questions.replace("Is 0", "Is zero"))
    assert run(task, "--prompt", "prompt", "--answer", "answer", "--json", "-").stdout != first
    data.write_text(questions)
    assert SAID not in run(task, "--prompt", "prompt", "--answer", "answer").stderr
    task.write_text(questions.replace('"q"', '"prompt"').replace('"a"', '"answer"'))
    assert SAID not in run(task, "--prompt", "prompt", "--answer", "answer").stderr
    assert len(measured) == 4


def test_samples_that_come_to_be_before_those_that_were_read_make_another_result(tmp_path, measured):
    lines = "".join(f'{{"input": "Is {n} odd?", "ideal": "{("no", "yes")[n % 2]}"}}\n' for n in range(20))
    (tmp_path / "evals").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "odd.jsonl").write_text(lines)
    entry = tmp_path / "evals" / "odd.yaml"
    entry.write_text("odd.v0:\n  class: evals.elsuite.basic.match:Match\n  args:\n    samples_jsonl: odd.jsonl\n")
    run(entry)
    assert SAID in run(entry).stderr
    (tmp_path / "evals" / "odd.jsonl").write_text(lines.replace("Is 0", "Is zero"))
    assert SAID not in run(entry).stderr
    assert len(measured) == 2


@pytest.mark.parametrize("change", [lambda path: path.unlink(), lambda path: path.write_text("yes\nno\n" * 10)])
def test_labels_that_change_during_the_audit_are_not_those_of_the_result(tmp_path, monkeypatch, measured, change):
    from hansproof.audit import run as home

    items, labels = tmp_path / "quiz.jsonl", tmp_path / "quiz-labels.lst"
    items.write_text("".join(f'{{"question": "Is {n} odd?"}}\n' for n in range(20)))
    labels.write_text("no\nyes\n" * 10)
    real = home.load
    with monkeypatch.context() as patched:
        patched.setattr(home, "load", lambda *given, **how: (real(*given, **how), change(labels))[0])
        run(items)
    assert SAID not in run(items).stderr  # whatever it is without labels, or with others


def test_a_file_that_is_read_twice_and_changes_in_between_leaves_no_entry(bench, tmp_path):
    cache = ResultCache(Columns(), make_settings(), tmp_path / "results")
    with recording() as journal:
        result = audit(str(bench))
        bench.write_text(bench.read_text() + "Is number 20 odd?,no\n")
        audit(str(bench))
    cache.keep(str(bench), None, result, journal.digests)
    assert not (tmp_path / "results").exists()


def test_an_entry_under_the_name_of_another_one_is_not_believed(bench, measured, tmp_path, monkeypatch):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    run(bench, "--seed", "7")
    (entry,) = (tmp_path / "cache" / "audits").iterdir()
    moved = entry.rename(tmp_path / "moved")
    run(bench)
    (other,) = (tmp_path / "cache" / "audits").iterdir()
    moved.replace(other)
    assert (SAID in run(bench).stderr, len(measured)) == (False, 3)


@pytest.mark.parametrize("open_to_others", ["entry", "folder"])
def test_what_others_could_have_written_is_not_believed(bench, measured, tmp_path, monkeypatch, open_to_others):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    run(bench)
    (entry,) = (tmp_path / "cache" / "audits").iterdir()
    modes = [path.stat().st_mode & 0o777 for path in (entry, entry.parent)]
    assert modes == [0o600, 0o700]
    (entry if open_to_others == "entry" else entry.parent).chmod(0o777)
    assert (SAID in run(bench).stderr, len(measured)) == (False, 2)


def test_nothing_is_kept_in_a_folder_that_others_can_write(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("HANSPROOF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache" / "audits").mkdir(parents=True)
    (tmp_path / "cache" / "audits").chmod(0o777)
    run(bench)
    assert list((tmp_path / "cache" / "audits").iterdir()) == []


def test_a_cache_within_an_audited_folder_is_no_benchmark(bench, tmp_path, monkeypatch):
    cache = tmp_path / "deep" / "cache"
    monkeypatch.setenv("HANSPROOF_CACHE", str(cache))
    first = run(tmp_path).stdout
    (cache / "planted-cues" / "2.0.0").mkdir(parents=True)
    (cache / "planted-cues" / "2.0.0" / "unigram.jsonl").write_text(bench.read_text())
    assert any(path.is_file() for path in (cache / "audits").iterdir())
    assert run(tmp_path).stdout == first
    assert "unigram" in run(cache / "planted-cues").stdout  # named itself


def test_a_folder_of_many_remembers_what_its_workers_read(tmp_path, monkeypatch):
    suite = tmp_path / "suite"
    suite.mkdir()
    for name in "abcd":
        (suite / f"{name}.jsonl").write_text("".join(f'{{"question": "Is {n} odd?"}}\n' for n in range(20)))
        (suite / f"{name}-labels.lst").write_text("no\nyes\n" * 10)
    run(suite, "--workers", "2")
    assert run(suite, "--workers", "2").stderr.count("  cached") == 4
    (suite / "b-labels.lst").write_text("yes\nno\n" * 10)
    assert run(suite, "--workers", "2").stderr.count("  cached") == 3
