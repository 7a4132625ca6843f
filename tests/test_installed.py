"""Installed as a user installs it, as a wheel and editable: what is there, under which names, and how it is typed.

Nothing is fetched: hatchling builds in this environment, pyright brings its own JavaScript and node.
"""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("audit", "generators", "hansproof")
LINKS = {"hansproof/audit": "../audit", "hansproof/generators": "../generators", "src/hansproof": "../hansproof"}

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
assert_type(hansproof.download("knights-knaves@2.1.0", to="here", force=True), Path)
assert_type(hansproof.export("datasets", "lm-eval", out="here"), list[Path])
(report, *_) = hansproof.score("answers.jsonl", "datasets/word-problems/2.1.0")
assert_type(report, Report)
assert_type(hansproof.__version__, str)
from hansproof import audit, generators
from hansproof.audit import run

assert_type(audit("bench.csv"), AuditResult)
assert_type(hansproof.audit("bench.csv"), AuditResult)
assert_type(run.audit("bench.csv"), AuditResult)
print(generators.__name__)
"""

BESIDE = """\
import inspect
import pickle
import pydoc
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import audit
import hansproof
from generators import own
from hansproof.generators.item import Item

assert (audit.mine, own.mine) == ("my audit", "my generators")
assert {name.partition(".")[0] for name, module in sys.modules.items() if "hansproof" in (module.__name__ or "")} == {
    "hansproof"
}


def prompts(seed: int) -> list[str]:
    return [item.prompt for item in hansproof.generate("planted-cues", subset="none", count=2, seed=seed)]


if __name__ == "__main__":
    import hansproof.audit.result.document

    assert callable(hansproof.audit) and hansproof.audit.result.document.decode
    assert str(inspect.signature(hansproof.audit)).startswith("(source: ")
    assert "smallest Cohen's kappa" in pydoc.plain(pydoc.render_doc(hansproof.audit))
    from hansproof import audit as measure

    try:
        measure("none.csv", treshold=0.3)
    except hansproof.UsageError as error:
        assert "Did you mean 'threshold'?" in str(error)
    item = next(hansproof.generate("planted-cues", subset="none", count=1, seed=7))
    assert pickle.loads(pickle.dumps(item)) == item and isinstance(item, Item)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(prompts, [7])) == [prompts(7)]
    print(hansproof.__file__)
"""
"""A user's script beside modules of the user's own that are called like the top folders of the repository."""

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


def environment(folder, *what):
    """An environment in `folder` in which `what` is installed by pip; its Python, and where its packages are.

    What the packages need is that of this environment. Its own .pth files, such as that of an editable install, are not
    read, and hatchling is among what is found.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / Path(sys.executable).relative_to(sys.prefix)
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())
    (site / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    pip("--python", python, "install", "--no-deps", "--no-compile", "--ignore-installed", *what)
    return python, site


def pip(*words):
    """Run pip, which fetches nothing and builds with what is here."""
    offline = {**clean(), "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}  # 0: no isolation
    done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True, env=offline)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def client(wheel, tmp_path_factory):
    """A folder with programs of a user's, beside an environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("client")
    python, _ = environment(folder / "venv", wheel)
    (folder / "right.py").write_text(RIGHT, encoding="utf-8")
    (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
    return folder, python


@pytest.fixture
def copy(tmp_path):
    """The files of the project that a build needs, links as links."""
    for name in (*FOLDERS, "src"):
        shutil.copytree(
            ROOT / name, tmp_path / "copy" / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path / "copy")
    return tmp_path / "copy"


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


def expected():
    """Every file of the code by its name in the wheel."""
    files = {path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()}
    own = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    return {name if name.startswith("hansproof/") else f"hansproof/{name}" for name in own}


def test_the_wheel_has_the_code_and_its_data_under_one_name_and_no_datasets(wheel):
    present = names(wheel)
    assert expected() == {file for file in present if ".dist-info/" not in file}
    record = next(file for file in present if file.endswith(".dist-info/RECORD"))
    with zipfile.ZipFile(wheel) as archive:
        listed = {line.partition("/")[0] for line in archive.read(record).decode().splitlines()}
    assert listed == {"hansproof", record.partition("/")[0]}
    assert {"hansproof/py.typed", "hansproof/audit/py.typed", "hansproof/generators/py.typed"} <= present
    kinds = {Path(file).suffix for file in present}
    assert {".txt", ".j2", ".css", ".json"} <= kinds  # word lists, templates, style sheets, the index


def test_the_links_of_the_repository_are_those_that_the_build_knows():
    assert {name: str((ROOT / name).readlink()) for name in LINKS} == LINKS


def test_the_package_is_the_function_and_says_how_it_is_called():
    import hansproof
    import hansproof.audit.run
    from hansproof import audit

    assert audit is hansproof.audit
    assert inspect.signature(audit) == inspect.signature(hansproof.audit.run.audit)
    shown = inspect.getdoc(audit)
    assert shown.startswith("MEASURE: ")
    assert "\naudit(source: " in shown
    assert "smallest Cohen's kappa" in shown
    with pytest.raises(hansproof.UsageError, match="Did you mean 'threshold'"):
        audit("none.csv", treshold=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("tree", ["a clone", "a clone without links", "the sdist"])
def test_every_way_of_building_gives_the_same_wheel(tree, wheel, copy, tmp_path):
    source = copy
    if tree == "a clone without links":  # as git has them where the system knows no links
        for name, target in LINKS.items():
            (copy / name).unlink()
            (copy / name).write_text(target, encoding="utf-8")
    if tree == "the sdist":
        build = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "sdist",
            "--directory",
            str(tmp_path / "sdist"),
        ]
        subprocess.run(build, cwd=copy, check=True, capture_output=True)
        (source,) = (tmp_path / "sdist").iterdir()
    pip("wheel", "--no-deps", "--wheel-dir", tmp_path / "wheels", source)
    (made,) = (tmp_path / "wheels").iterdir()
    assert names(made) == names(wheel)


@pytest.mark.slow
@pytest.mark.parametrize("package", [True, False], ids=["a package", "a folder"])
@pytest.mark.parametrize("way", ["the wheel", "a clone", "editable"])
def test_modules_of_the_users_own_disturb_nothing_and_stay_the_users(way, package, wheel, copy, tmp_path):
    what = {"the wheel": [wheel], "a clone": [copy], "editable": ["--editable", copy]}[way]
    python, site = environment(tmp_path / "venv", *what)
    home = tmp_path / "home"
    (home / "generators").mkdir(parents=True)
    (home / "audit.py").write_text('mine = "my audit"\n', encoding="utf-8")
    (home / "generators/own.py").write_text('mine = "my generators"\n', encoding="utf-8")
    if package:
        (home / "generators/__init__.py").touch()
    (home / "script.py").write_text(BESIDE, encoding="utf-8")
    done = subprocess.run([python, "script.py"], cwd=home, capture_output=True, text=True, env=clean())
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(copy / "src" if way == "editable" else site)
    command = [python, "-m", "hansproof", "generate", "planted-cues", "-s", "none", "-n", "1", "--seed", "7"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, env=clean(), check=True)
    assert json.loads(done.stdout)["id"] == "planted-cues/2.0.0/none/000000"


def test_the_installed_command_runs_outside_the_source_tree(client, tmp_path):
    folder, python = client
    command = [python, "-I", "-m", "hansproof", "generate", "planted-cues", "-s", "none", "-n", "1", "--seed", "7"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["id"] == "planted-cues/2.0.0/none/000000"
    where = [python, "-I", "-c", "import hansproof.audit as a, hansproof as h; print(h.__file__, a.__file__)"]
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
