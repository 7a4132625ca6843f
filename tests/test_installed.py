"""The wheel, built and installed as a user installs it: what is in it, and what type checkers make of it.

Nothing is fetched: hatchling builds in this environment, pyright brings its own JavaScript and node.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"audit", "generators", "hansproof"}

RIGHT = """\
from collections.abc import Iterator
from pathlib import Path
from typing import assert_type

import datasets  # type: ignore[import-untyped]
import pandas
import polars

import hansproof
from hansproof.audit.models.scores import Report
from hansproof.audit.result.audit_result import AuditResult
from hansproof.generators.item import Item
from hansproof.release.verify import Verification

result = hansproof.audit("bench.csv", answer="label", groups="found", permutations=499)
assert_type(result, AuditResult)
reason: str = result.reason

assert_type(hansproof.load("knights-knaves", subset="set-S"), datasets.Dataset)
assert_type(hansproof.load("knights-knaves", subset="set-S", as_="pandas"), pandas.DataFrame)
assert_type(hansproof.load("knights-knaves", as_="polars", offline=True), polars.DataFrame)
assert_type(hansproof.load("knights-knaves", as_="items", source="datasets"), list[Item])

assert_type(hansproof.generate("knights-knaves", subset=["set-S", "set-I"], count=3, seed=7, start=2), Iterator[Item])
prompt: str = next(hansproof.generate("knights-knaves", count=3)).prompt

verification = hansproof.verify(Path("datasets"), regenerate=False)
assert_type(verification, Verification)
assert_type(verification.passed, bool)
assert_type(hansproof.download("knights-knaves@1.0.0", to="here", force=True), Path)
assert_type(hansproof.export("datasets", "lm-eval", out="here"), list[Path])
(report, *_) = hansproof.score("answers.jsonl", "datasets/word-problems/1.0.0")
assert_type(report, Report)
assert_type(hansproof.__version__, str)
"""

WRONG = """\
import hansproof

hansproof.audit("bench.csv", treshold=0.3)
hansproof.audit("bench.csv", protocol="papers")
hansproof.audit("bench.csv", folds="five")
hansproof.load("knights-knaves", as_="panda")
hansproof.load("knights-knaves", "set-S")
hansproof.generate("knights-knaves")
hansproof.verify("datasets", regenerat=False)
hansproof.export("datasets")
text: str = hansproof.download("knights-knaves")
hansproof.score("answers.jsonl", judged="me")
hansproof.adit("bench.csv")
"""
"""An error on every line from the third on."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def client(wheel, tmp_path_factory):
    """A folder with a program of a user's, beside an environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("client")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / Path(sys.executable).relative_to(sys.prefix)
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile"]
    subprocess.run([*install, "--target", site, wheel], check=True, env=clean())
    # The wheel's dependencies are those of this environment; its own .pth files (of an editable install) are not read.
    (Path(site) / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    (folder / "right.py").write_text(RIGHT, encoding="utf-8")
    (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
    return folder, python


def clean():
    """This process's environment without what could put the source tree on the path, or fetch anything."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "PYRIGHT_", "MYPY"))
    }
    return {
        **kept,
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
    }


def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_has_the_code_and_its_data_and_no_datasets(wheel):
    present = names(wheel)
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    assert {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts} <= present
    assert {file.partition("/")[0] for file in present if ".dist-info/" not in file} == PACKAGES
    assert {"audit/py.typed", "generators/py.typed", "hansproof/py.typed", "hansproof/fetch/index.json"} <= present
    kinds = {Path(file).suffix for file in present}
    assert {".txt", ".j2", ".css", ".json"} <= kinds  # word lists, templates, style sheets, the index


def test_the_installed_command_runs_outside_the_source_tree(client, tmp_path):
    folder, python = client
    command = [python, "-I", "-m", "hansproof", "generate", "planted-cues", "-s", "none", "-n", "1", "--seed", "7"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["id"] == "planted-cues/2.0.0/none/000000"
    where = [python, "-I", "-c", "import audit, generators, hansproof as h; print(h.__file__, audit.__file__)"]
    files = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
    assert [Path(file).is_relative_to(folder) for file in files] == [True, True]


def mypy_errors(folder, python):
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--python-executable", python]
    done = subprocess.run([*command, "right.py", "wrong.py"], cwd=folder, capture_output=True, text=True, env=clean())
    assert done.returncode == 1, done.stdout + done.stderr
    errors = re.findall(r"^(\w+\.py):(\d+): error: (.*)", done.stdout, flags=re.MULTILINE)
    return [(file, int(line), message) for file, line, message in errors]


def pyright_errors(folder, python):
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", python, "right.py", "wrong.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=clean())
    assert done.returncode == 1, done.stdout + done.stderr
    return [
        (Path(entry["file"]).name, entry["range"]["start"]["line"] + 1, entry["message"])
        for entry in json.loads(done.stdout)["generalDiagnostics"]
        if entry["severity"] == "error"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("errors", [mypy_errors, pyright_errors], ids=["mypy", "pyright"])
def test_a_type_checker_knows_what_comes_back_and_which_options_there_are(errors, client):
    reported = errors(*client)
    assert [error for error in reported if error[0] == "right.py"] == []
    assert {line for _, line, _ in reported} == set(range(3, len(WRONG.splitlines()) + 1))
