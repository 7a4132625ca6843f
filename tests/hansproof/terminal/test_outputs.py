"""One refusal to overwrite."""

import json
import os
import subprocess
import sys
from pathlib import Path

import made_logs
import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import dump, read_bytes, write_bytes
from hansproof.generators.output import appearing
from hansproof.generators.registry import dataset
from hansproof.terminal.outputs import check_output

ROWS = [(f"q{n}", f"Is {n} odd?", ("no", "yes")[n % 2], "yes", n % 2) for n in range(40)]
DATE = "2026-01-16T15-23-47.285735"
QUIZ = "".join(json.dumps({"question": f"Is {n} odd?", "label": ("no", "yes")[n % 2]}) + "\n" for n in range(40))
TASK = "task: odd\ndataset_path: json\ndoc_to_text: '{{question}}'\ndoc_to_target: '{{label}}'\n"


def test_what_exists_is_overwritten_only_with_force(tmp_path):
    path = tmp_path / "scores.json"
    check_output(str(path), force=False)
    path.write_text("old")
    with pytest.raises(UsageError, match=r"scores\.json: exists; pass --force to overwrite it, or name another file$"):
        check_output(str(path), force=False)
    check_output(str(path), force=True)


def test_a_link_to_nothing_counts_as_existing(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(UsageError, match="exists; pass --force"):
        check_output(str(tmp_path / "link"), force=False)


def test_force_does_not_replace_a_folder_or_make_one(tmp_path):
    with pytest.raises(UsageError, match="is not a regular file; name another file"):
        check_output(str(tmp_path), force=True)
    with pytest.raises(UsageError, match="its folder does not exist; make it first"):
        check_output(str(tmp_path / "no" / "a.json"), force=True)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system has no names for open files")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/new.html"])
def test_no_file_takes_the_place_of_a_device(name):
    with pytest.raises(UsageError, match=rf"^{name}: is not a regular file; name another file$"):
        check_output(name, force=True)
    with (
        pytest.raises(InputError, match=r"^/proc/self/fd/1: is not a regular file; name another file$"),
        appearing("/proc/self/fd/1", overwrite=True),
    ):
        pass


@pytest.mark.parametrize("name", ["", "  "])
def test_a_file_without_a_name_is_refused(name):
    with pytest.raises(UsageError, match=r"^the name of a file to write is empty; name a file$"):
        check_output(name, force=True)


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A log of each harness with what it writes beside, and benchmarks of which a file names others."""
    monkeypatch.chdir(tmp_path)
    samples = [made_logs.lm_eval_sample(n, row) for n, row in enumerate(ROWS)]
    (tmp_path / "m__x").mkdir()
    made_logs.lines(tmp_path / "m__x" / f"samples_odd_{DATE}.jsonl", samples)
    (tmp_path / "m__x" / f"results_{DATE}.json").write_text(json.dumps({"model_name": "m/x"}))
    made_logs.helm_run(tmp_path / "run", [made_logs.helm_state(row) for row in ROWS])
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "docs.jsonl").write_text(QUIZ)
    (tmp_path / "base.yaml").write_text(f"{TASK}dataset_kwargs:\n  data_files: rows/docs.jsonl\n")
    (tmp_path / "task.yaml").write_text("include: base.yaml\ntask: odd\n")
    (tmp_path / "quiz.jsonl").write_text(QUIZ)
    (tmp_path / "quiz-labels.lst").write_text("no\nyes\n" * 20)
    (tmp_path / "items.jsonl").write_bytes(dump(dataset("planted-cues").item("none", 5, n) for n in range(8)))
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


SAMPLES = f"m__x/samples_odd_{DATE}.jsonl"


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["score", SAMPLES, "--item-scores"], f"m__x/results_{DATE}.json"),
        (["compare", SAMPLES, "run/scenario_state.json", "--html"], f"m__x/results_{DATE}.json"),
        (["analyse", SAMPLES, "--json"], f"m__x/results_{DATE}.json"),
        (["score", "run/scenario_state.json", "--csv"], "run/per_instance_stats.json"),
        (["audit", "task.yaml", "--html"], "base.yaml"),
        (["audit", "task.yaml", "--html"], "rows/docs.jsonl"),
        (["audit", "task.yaml", "--html"], "hard.jsonl"),
        (["audit", "quiz.jsonl", "--html"], "quiz-labels.lst"),
        (["harden", "quiz.jsonl", "--out"], "quiz-labels.lst"),
        (["harden", "task.yaml", "--out"], "rows/docs.jsonl"),
    ],
)
def test_what_is_read_though_nobody_names_it_is_never_written(there, arguments, out):
    os.link("rows/docs.jsonl", "hard.jsonl")
    before = contents(there)
    for _ in range(2):  # also where the result is remembered
        done = CliRunner().invoke(command_line(), [*arguments, out, "--force"])
        assert (done.exit_code, done.stderr) == (2, f"error: {out}: is an input of this command; name another file\n")
    assert contents(there) == before


@pytest.mark.parametrize("workers", ["1", "2"])
def test_one_of_several_benchmarks_that_reads_what_is_to_be_written_ends_the_audit(there, workers):
    before = contents(there)
    command = ["audit", "task.yaml", "quiz.jsonl", "--workers", workers, "--no-cache", "--html", "base.yaml", "--force"]
    done = CliRunner().invoke(command_line(), command)
    assert (done.exit_code, done.stderr.splitlines()[-1], done.stdout) == (
        2,
        "error: base.yaml: is an input of this command; name another file",
        "",
    )
    assert contents(there) == before


def test_a_remembered_result_is_not_written_over_what_it_follows_from(there):
    quick = ["audit", "task.yaml", "--splits", "1", "--permutations", "99", "--html"]
    assert CliRunner().invoke(command_line(), [*quick, "page.html"]).exit_code in (0, 1, 3)
    done = CliRunner().invoke(command_line(), [*quick, "base.yaml", "--force"])
    assert (done.exit_code, done.stderr) == (2, "error: base.yaml: is an input of this command; name another file\n")


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["score", "m__x", "--item-scores"], "m__x/scores.json"),
        (["score", "mine=run", "--item-scores"], "run/scores.json"),
        (["compare", "a=m__x", "b=run", "--html"], "run/page.html"),
        (["analyse", "m__x", "--html"], "m__x/page.html"),
        (["phenotype", "m=m__x", "--html"], "m__x/page.html"),
        (["audit", "rows", "--json"], "rows/new.json"),
        (["audit", ".", "--json"], "rows/new.json"),
    ],
)
def test_nothing_new_is_put_into_a_folder_that_is_read(there, arguments, out):
    done = CliRunner().invoke(command_line(), [*arguments, out])
    said = f"error: {out}: is inside an input of this command, which must stay as it is; name another file\n"
    assert (done.exit_code, done.stderr) == (2, said)
    folder = str(Path(out).parent)
    done = CliRunner().invoke(command_line(), [*arguments, folder, "--force"])
    assert (done.exit_code, done.stderr.count("\n"), Path(out).exists()) == (2, 1, False)


def test_a_file_that_the_shell_opened_as_standard_input_is_an_input(there):
    command = [sys.executable, "-m", "hansproof", "score", "-", "--item-scores", SAMPLES, "--force"]
    before = contents(there)
    with Path(SAMPLES).open("rb") as stream:
        done = subprocess.run(command, stdin=stream, capture_output=True, text=True)
    said = f"error: {SAMPLES}: is an input of this command; name another file\n"
    assert (done.returncode, done.stderr, contents(there)) == (2, said, before)


def test_an_export_is_not_written_over_its_items_and_again_over_itself(there):
    Path("out/rows").mkdir(parents=True)
    Path("items.jsonl").rename("out/README.md.jsonl")
    os.link("out/README.md.jsonl", "out/README.md")
    export = ["export", "out/README.md.jsonl", "--to", "lm-eval", "--force", "--out"]
    done = CliRunner().invoke(command_line(), [*export, "out"])
    assert (done.exit_code, done.stderr) == (
        2,
        "error: out/README.md: is an input of this command; name another file\n",
    )
    for _ in range(2):
        assert CliRunner().invoke(command_line(), [*export, "else"]).exit_code == 0
        Path("else/README.md").write_text("changed")  # read to be compared, which makes it no input


def test_a_report_that_was_written_before_is_overwritten_with_force(there):
    for _ in range(2):
        done = CliRunner().invoke(command_line(), ["score", SAMPLES, "--item-scores", "scores.json", "--force"])
        assert (done.exit_code, json.loads(Path("scores.json").read_bytes())["models"][0]["model"]) == (0, "m/x")


def test_what_a_library_has_read_is_nobodys_input_afterwards(there):
    hansproof.audit("quiz.jsonl", permutations=99, splits=1)
    check_output("quiz.jsonl", force=True)
    write_bytes("quiz.jsonl", b"{}\n", overwrite=True)
    assert read_bytes("quiz.jsonl") == b"{}\n"
