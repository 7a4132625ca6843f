"""What other tools start or read: a GitHub action, a hook of pre-commit, completion, a notebook, a citation."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
import yaml

from hansproof.generators.jsonl import read_bytes
from hansproof.release.exports.export import export_bytes

ROOT = Path(__file__).resolve().parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
LEAK = ROOT / "datasets" / "planted-cues" / "2.0.0" / "unigram.jsonl.gz"
BASH = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]
"""How a runner starts the script of a step whose shell is bash."""
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_IGNORE_INSTALLED": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # 0: no isolation
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONPATH": sysconfig.get_path("purelib"),  # in which an editable install of ours is not followed
}
"""An environment in which pip installs our code alone; what it needs is that of this environment."""


def act(tmp_path, given, *, install=True):
    """Run the scripts of the action as a runner does: how the last one ended, the outputs, and the summary.

    `actions/setup-python` is left out, as it needs GitHub; in its place stands the Python of this environment.
    """
    repository = tmp_path / "repository"
    values = {f"inputs.{name}": given.get(name, about.get("default")) for name, about in ACTION["inputs"].items()}
    values["steps.python.outputs.python-path"] = sys.executable
    written = {name: tmp_path / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    runner = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ROOT)} | {k: str(v) for k, v in written.items()}
    for step in ACTION["runs"]["steps"]:
        if "run" not in step:
            assert step["uses"].startswith("actions/setup-python@")
            continue
        assert "${{" not in step["run"], "what an input says would be run"
        if step["id"] == "install" and not install:
            values["steps.install.outputs.folder"] = str(tmp_path)
            continue
        own = {name: filled(text, values) for name, text in step["env"].items()}
        script = tmp_path / f"{step['id']}.sh"
        script.write_text(step["run"], "utf-8")
        environment = {**os.environ, **OFFLINE, **runner, **own}
        done = subprocess.run([*BASH, script], cwd=repository, env=environment, capture_output=True, text=True)
        for line in written["GITHUB_OUTPUT"].read_text().splitlines() if written["GITHUB_OUTPUT"].exists() else ():
            name, _, value = line.partition("=")
            values[f"steps.{step['id']}.outputs.{name}"] = value
        written["GITHUB_OUTPUT"].unlink(missing_ok=True)
    outputs = {name: filled(about["value"], values) for name, about in ACTION["outputs"].items()}
    return done, outputs, written["GITHUB_STEP_SUMMARY"]


def filled(text, values):
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: values.get(match[1], ""), text)


@pytest.fixture
def repository(tmp_path):
    """The repository of a benchmark's authors."""
    (tmp_path / "repository" / "data files").mkdir(parents=True)
    (tmp_path / "repository" / "data files" / "test.jsonl").write_bytes(read_bytes(LEAK))
    return tmp_path / "repository"


@pytest.mark.slow
def test_the_action_installs_what_lies_beside_it_and_fails_for_a_leak(repository, tmp_path):
    given = {"paths": "data files/*.jsonl\n", "options": "--fast --template '{prompt}' --answer \"answer\""}
    done, outputs, summary = act(tmp_path, given)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "LEAKS" in done.stdout
    lines = summary.read_text("utf-8").splitlines()
    assert lines[0] == "## hansproof audit"
    assert any("LEAKS" in line for line in lines)
    assert lines[1].startswith("~~~~")
    assert lines[-1] == lines[1].split()[0]
    log = json.loads(Path(outputs["sarif"]).read_bytes())
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "data%20files/test.jsonl", "uriBaseId": "%SRCROOT%",
    }  # fmt: skip
    assert json.loads(Path(outputs["json"]).read_bytes())["settings"]["fast"] is True
    assert Path(outputs["html"]).stat().st_size > 1000
    (home,) = Path(outputs["sarif"]).parent.glob("venv/lib/python*/site-packages/hansproof/__init__.py")
    assert home.read_bytes() == (ROOT / "hansproof" / "__init__.py").read_bytes()


@pytest.fixture
def echo(tmp_path):
    """In the place of hansproof a program that prints its arguments, one a line, and fails with 2."""
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    program = tmp_path / "venv" / "bin" / "hansproof"
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 2\n", "utf-8")
    program.chmod(0o755)


def test_what_the_action_is_given_is_never_run(repository, tmp_path, echo):
    given = {"paths": '$(touch ran)\r\n"; touch ran; "', "options": "--answer-part 'A: (\\w+)' `touch` * $HOME"}
    done, outputs, _ = act(tmp_path, given, install=False)
    assert done.returncode == 2
    assert set(outputs.values()) == {""}  # the program wrote no file
    words = done.stdout.splitlines()
    assert words[words.index("--answer-part") : -2] == [
        "--answer-part", "A: (\\w+)", "`touch`", "*", "$HOME", "--", "$(touch ran)", '"; touch ran; "',
    ]  # fmt: skip
    assert not (repository / "ran").exists()


def test_names_of_files_are_no_commands_to_the_runner(repository, tmp_path, echo):
    screens = [act(tmp_path, {"paths": "::set-env name=x::y"}, install=False)[0].stdout.splitlines() for _ in range(2)]
    tokens = [re.fullmatch("::stop-commands::([0-9a-f]{32})", screen[0])[1] for screen in screens]
    assert tokens[0] != tokens[1]
    assert "::set-env name=x::y" in screens[0]
    assert [screen[-1] for screen in screens] == [f"::{token}::" for token in tokens]


def test_options_whose_quotes_do_not_end_are_refused(repository, tmp_path, echo):
    done, _, _ = act(tmp_path, {"paths": "x", "options": "--template 'open"}, install=False)
    assert done.returncode == 2
    assert "error: options: a quote does not end: --template 'open" in done.stderr
    assert done.stdout == ""


PAGE = (ROOT / "docs" / "integrations.md").read_text("utf-8")
WORKFLOW, CONFIGURED, LOCAL, BENCHMARK = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def test_the_workflow_asks_the_action_for_what_it_has_and_says_what_to_replace():
    (step,) = (step for step in WORKFLOW["jobs"]["audit"]["steps"] if step.get("id") == "audit")
    assert step["uses"] == "OWNER/hansproof@COMMIT"
    assert "replace `OWNER/hansproof` by" in PAGE
    assert "and `COMMIT` by" in PAGE.replace("\n", " ")
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert {name for name, about in ACTION["inputs"].items() if about.get("required")} <= set(step["with"])
    assert set(re.findall(r"steps\.audit\.outputs\.(\w+)", PAGE)) <= set(ACTION["outputs"])


def test_the_hooks_of_the_page_are_the_hook_of_the_repository():
    (configured,), (local,) = (page["repos"][0]["hooks"] for page in (CONFIGURED, LOCAL))
    assert configured["id"] == HOOK["id"]
    assert local.items() >= {name: HOOK[name] for name in ("id", "name", "entry", "require_serial")}.items()
    assert ACTION["inputs"]["fail-on"]["default"] == HOOK["entry"].split()[-1]


@pytest.mark.slow
def test_pre_commit_installs_the_hook_from_a_clone_and_fails_for_a_leak(repository, tmp_path):
    """Without pre-commit the entry is run as it would run it, on the files of a commit."""
    for command in ("git init --quiet", "git add ."):
        subprocess.run(command.split(), cwd=repository, check=True)
    files = ["data files/test.jsonl"]
    command = [*HOOK["entry"].split(), *files]
    environment = dict(os.environ)
    if shutil.which("pre-commit", path=Path(sys.executable).parent):
        environment |= {**OFFLINE, "PRE_COMMIT_HOME": str(tmp_path / "pre-commit")}
        command = ["pre_commit", "try-repo", str(ROOT), HOOK["id"], "--files", *files]
    else:
        command[0] = "hansproof"
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=repository, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "LEAKS" in done.stdout


def test_the_benchmark_of_the_page_has_the_fields_that_an_export_has():
    exported = yaml.safe_load(export_bytes(LEAK, "hub")[1]["eval.yaml"])
    assert list(BENCHMARK) == list(exported)
    (task,), (own,) = exported["tasks"], BENCHMARK["tasks"]
    assert list(own) == list(task)
    assert own["field_spec"].keys() == task["field_spec"].keys() - {"metadata"}
    assert (own["solvers"], own["scorers"]) == (task["solvers"], task["scorers"])


def completed(words):
    """What bash offers for the last of the words of a command line."""
    asked = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1), "_HANSPROOF_COMPLETE": "bash_complete"}
    return subprocess.run(
        [sys.executable, "-m", "hansproof"], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_shell_completes_commands_options_and_values():
    from hansproof.command_line import COMMANDS

    assert completed(["hansproof", ""]) == [f"plain,{name}" for name in COMMANDS]
    assert completed(["hansproof", "ha"]) == ["plain,harden"]
    assert "plain,--sarif" in completed(["hansproof", "audit", "--sa"])
    assert completed(["hansproof", "audit", "--task", ""]) == ["plain,auto", "plain,fixed", "plain,open"]


@pytest.mark.parametrize("shell", re.findall(r"_HANSPROOF_COMPLETE=(\w+)_source", PAGE))
def test_each_line_for_a_shell_prints_its_script(shell):
    environment = {**os.environ, "_HANSPROOF_COMPLETE": f"{shell}_source"}
    script = subprocess.run(
        [sys.executable, "-m", "hansproof"], env=environment, capture_output=True, text=True, check=True
    )
    assert f"_HANSPROOF_COMPLETE={shell}_complete" in script.stdout


NOTEBOOK = json.loads((ROOT / "docs" / "examples" / "audit.ipynb").read_text("utf-8"))


def shown(source, names):
    """Run a cell; what its last line shows in a notebook, which is HTML of what has it, or None."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    value = eval(compile(last, "cell", "eval"), names) if last else None
    return None if value is None else value._repr_html_()


def test_the_notebook_has_no_outputs():
    assert {cell.get("execution_count") for cell in NOTEBOOK["cells"]} == {None}
    assert all(cell.get("outputs", []) == [] for cell in NOTEBOOK["cells"])
    assert (NOTEBOOK["nbformat"], len({cell["id"] for cell in NOTEBOOK["cells"]})) == (4, len(NOTEBOOK["cells"]))


@pytest.mark.slow
def test_the_notebook_runs_from_above_and_shows_what_its_text_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    pages = [shown("".join(cell["source"]), names) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert [page for page in pages if page and "<table" not in page] == []
    assert "LEAKS. The probe" in " ".join(filter(None, pages))
    assert [cue.ngram for cue in names["result"].cues] == ["usually", "often"]
    accuracy = names["scores"].to_frame().set_index("model")["accuracy"]
    assert accuracy["follows the word"] == pytest.approx(0.8, abs=0.05)
    assert accuracy["always yes"] == pytest.approx(0.5, abs=0.05)
    assert list(tmp_path.iterdir()) == []


def test_the_citation_is_of_this_version_and_has_no_date_before_there_is_a_release():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in project["authors"]]
    heading = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1]
    assert heading.startswith(citation["version"])
    assert ("date-released" in citation) is ("unreleased" not in heading)
    assert {"cff-version", "message", "title", "type"} <= citation.keys()


def test_assistants_read_one_short_page():
    lines = (ROOT / "AGENTS.md").read_text("utf-8").splitlines()
    assert len(lines) <= 60
