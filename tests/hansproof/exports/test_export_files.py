"""What an export writes, and what it refuses to write over."""

import re
from pathlib import Path

import pytest
import yaml
from datasets import load_dataset

from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import read, read_bytes, write
from hansproof.release.exports.export import export, export_bytes
from hansproof.release.exports.harnesses import HARNESSES

FROZEN = Path(__file__).resolve().parents[3] / "datasets"


def tree(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("to", HARNESSES)
def test_the_rows_stay_as_they_are_and_a_readme_says_how_to_run(release, tmp_path, to):
    before = tree(release)
    written = export(release, to, out=tmp_path / "out")
    files = tree(tmp_path / "out")
    assert sorted(files) == sorted(path.relative_to(tmp_path / "out").as_posix() for path in written)
    for name in ("S-3", "many", "open"):
        assert files[f"rows/{name}.jsonl"] == before[f"{name}.jsonl"]
    assert b"small-set@1.0.0" in files["README.md"]
    assert b"{" not in files["README.md"].replace(b"{|", b"")  # no placeholder was left unfilled
    assert tree(release) == before


@pytest.mark.parametrize("to", HARNESSES)
def test_the_same_release_gives_the_same_bytes(release, to):
    assert export_bytes(release, to) == export_bytes(release, to)


@pytest.mark.parametrize("to", HARNESSES)
def test_python_that_is_written_is_python(release, to):
    for name, data in export_bytes(release, to)[1].items():
        if name.endswith(".py"):
            compile(data, name, "exec")


def test_nothing_is_replaced_unasked_and_equal_files_are_no_obstacle(release, tmp_path):
    out = tmp_path / "out"
    export(release, "lm-eval", out=out)
    export(release, "lm-eval", out=out)
    (out / "README.md").write_text("mine")
    (out / "rows" / "open.jsonl").unlink()
    with pytest.raises(InputError, match=r"README\.md: exists and differs; pass --force"):
        export(release, "lm-eval", out=out)
    assert not (out / "rows" / "open.jsonl").exists()  # refused before anything was written
    export(release, "lm-eval", out=out, force=True)
    assert tree(out) == export_bytes(release, "lm-eval")[1]


def test_by_default_the_folder_is_named_after_the_release(release, tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    assert export(release, "helm")[0].parts[0] == "small-set-1.0.0-helm"


@pytest.mark.parametrize("inside", [".", "exports"])
def test_a_frozen_release_is_not_written_into(release, inside):
    with pytest.raises(InputError, match="is inside the release, which must stay as it was frozen"):
        export(release, "inspect", out=release / inside)


def test_one_file_of_items_is_enough(release, tmp_path):
    written = export(release / "S-3.jsonl", "openai-evals", out=tmp_path / "out")
    assert [path.name for path in written] == ["S-3.jsonl", "S-3.jsonl", "small_set.yaml", "README.md"]


def test_a_release_that_is_not_what_its_sums_say_is_not_exported(release, tmp_path):
    path = release / "open.jsonl"
    path.write_bytes(path.read_bytes().replace(b"knave 1", b"knave 8"))
    with pytest.raises(InputError, match=r"open.jsonl: is not what SHA256SUMS says; run `hansproof verify"):
        export(release, "lm-eval", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["SHA256SUMS", "open.jsonl"])
def test_a_release_with_a_link_is_not_exported_as_it_is_not_verified(release, tmp_path, name):
    (release / name).rename(tmp_path / "elsewhere")
    (release / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=f"{name}: is a link, not a plain file"):
        export(release, "hub", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_exported_is_named(tmp_path, rows):
    with pytest.raises(
        UsageError, match=r"no harness 'lmeval'\. Did you mean 'lm-eval'\? Known: lm-eval, inspect, openai-"
    ):
        export(tmp_path, "lmeval")
    with pytest.raises(InputError, match=r"has no files of items; name a release folder"):
        export(tmp_path, "helm")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match=r"empty.jsonl: has no rows"):
        export(tmp_path / "empty.jsonl", "helm")
    with pytest.raises(InputError, match=r"gone.jsonl: cannot be read"):
        export(tmp_path / "gone.jsonl", "helm")
    write(tmp_path / "mixed.jsonl", [*rows["S-3"], *rows["many"]])
    with pytest.raises(InputError, match=r"mixed.jsonl: has rows of several subsets: .*S-3, .*many"):
        export(tmp_path / "mixed.jsonl", "helm")


def renamed(item, subset):
    record = item.record()
    record["metadata"]["subset"] = subset
    record["id"] = f"small-set/1.0.0/{subset}/000000"
    return type(item).from_record(record, subset)


def test_two_subsets_that_would_be_one_task_are_refused(tmp_path, rows):
    write(tmp_path / "a.jsonl", [renamed(rows["S-3"][0], "S-3")])
    write(tmp_path / "b.jsonl", [renamed(rows["S-3"][0], "S_3")])
    with pytest.raises(InputError, match="two subsets would get the same task name"):
        export(tmp_path, "lm-eval", out=tmp_path / "out")


@pytest.mark.parametrize("subset", ["../evil", "a b", 'x"): import os  # ', ".hidden", "a\nb"])
def test_a_subset_whose_name_is_no_plain_name_never_becomes_a_path_or_code(tmp_path, rows, subset):
    path = tmp_path / "a.jsonl"
    write(path, [renamed(rows["S-3"][0], subset)])
    assert len(read(path)) == 1
    with pytest.raises(InputError, match="cannot be part of a task's name"):
        export(path, "inspect", out=tmp_path / "out")


def test_a_version_that_is_no_version_never_becomes_code(tmp_path, rows):
    item = rows["S-3"][0]
    record = item.record()
    record["metadata"]["version"] = '1"""; import os; """'
    record["id"] = f"small-set/{record['metadata']['version']}/S-3/000000"
    write(tmp_path / "a.jsonl", [type(item).from_record(record, "a")])
    with pytest.raises(InputError, match="cannot be part of a task's name"):
        export(tmp_path / "a.jsonl", "inspect", out=tmp_path / "out")


def test_the_planted_cues_of_the_repository_go_to_every_harness(tmp_path):
    folder = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0"
    for to in HARNESSES:
        name, files = export_bytes(folder, to)
        assert name == f"planted-cues-2.0.0-{to}"
        assert files["rows/template-only.jsonl"] == read_bytes(folder / "template-only.jsonl.gz")


def test_the_hub_has_what_its_documentation_asks_of_a_benchmark(release, rows, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    export(release, "hub", out=tmp_path / "out")
    document = yaml.safe_load((tmp_path / "out" / "eval.yaml").read_text("utf-8"))
    assert list(document) == ["name", "description", "evaluation_framework", "tasks"]
    assert document["evaluation_framework"] == "inspect-ai"
    assert {task["id"]: task["scorers"][0]["name"] for task in document["tasks"]} == {
        "S-3": "choice", "many": "choice", "open": "includes",
    }  # fmt: skip
    for task in document["tasks"]:
        loaded = load_dataset(str(tmp_path / "out"), task["config"], split=task["split"])
        fields = task["field_spec"]
        assert {*fields["metadata"], *(name for key, name in fields.items() if key != "metadata")} <= {
            *loaded.column_names
        }
        assert loaded[fields["input"]][:] == [item.prompt for item in rows[task["id"]]]
    letters = load_dataset(str(tmp_path / "out"), "many", split="test")["target"][:]
    assert letters == ["A", "Z", "1", "14"]


def test_an_open_number_is_scored_by_the_last_number_of_a_reply_on_the_hub():
    carry = FROZEN / "word-problems" / "2.1.0" / "carry.jsonl.gz"
    (task,) = yaml.safe_load(export_bytes(carry, "hub")[1]["eval.yaml"])["tasks"]
    pattern = task["scorers"][0]["args"]["pattern"]
    assert re.search(pattern, "16 + 12 = 28.")[1] == "28"
    assert task["solvers"] == [{"name": "generate"}]
