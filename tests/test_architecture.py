"""The house rules that a machine can check: sizes, names, randomness, what is public. The arrows: `test_arrows.py`."""

import ast
import importlib
import inspect
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODE = sorted(path for folder in ("generators", "audit", "hansproof") for path in ROOT.glob(f"{folder}/**/*.py"))
ALL = [*CODE, *(path for folder in ("tests", "benchmarks", "docs") for path in sorted(ROOT.glob(f"{folder}/**/*.py")))]
MODULES = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in CODE]


def test_no_module_is_longer_than_600_lines():
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in ALL}
    assert {str(path): size for path, size in sizes.items() if size > 600} == {}


@pytest.mark.parametrize("name", ["Difference", "Estimate", "Pair", "Part"])
def test_a_name_that_had_several_meanings_has_one(name):
    homes = [path for path in ALL if re.search(rf"^class {name}\b", path.read_text(encoding="utf-8"), re.MULTILINE)]
    assert [path.relative_to(ROOT).parts[0] for path in homes] == ["audit"]


@pytest.mark.parametrize("name", ["Design", "Drawn", "Plan", "Row", "Step", "Table"])
def test_a_common_name_is_one_class_of_the_audit_and_of_serving_and_one_of_a_family(name):
    homes = [
        path.relative_to(ROOT).parts
        for path in CODE
        if re.search(rf"^class {name}\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    # The page of a study has tables and rows of its own.
    assert sum(parts[0] != "generators" and parts[:2] != ("audit", "study") for parts in homes) == 1
    families = Counter(parts[1] for parts in homes if parts[0] == "generators")
    assert {family: count for family, count in families.items() if count > 1} == {}


UNUSED: set[tuple[str, str]] = set()
"""Public names that nothing but tests uses. It may only get shorter."""


def test_every_public_name_is_used_by_more_than_tests():
    texts = {path: path.read_text(encoding="utf-8") for path in ALL if not path.is_relative_to(ROOT / "tests")}
    words = {path: Counter(re.findall(r"\w+", text)) for path, text in texts.items()}
    unused = set()
    for path in CODE:
        for name in public_names(texts[path]):
            # Beside its definition and `__all__`: in its own module, or anywhere else.
            if words[path][name] <= 2 and not any(name in counts for other, counts in words.items() if other != path):
                unused.add((path.relative_to(ROOT).as_posix(), name))
    assert unused == UNUSED


def test_a_variable_is_called_by_a_word_of_the_domain():
    # `one` and `found` say nothing of what they hold: an item, a subset, a fault.
    empty = set()
    for path in ALL:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""
            if name in ("one", "found"):
                empty.add(f"{path.relative_to(ROOT)}:{node.lineno}: {name}")
    assert empty == set()


def public_names(source):
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return []


def test_datasets_stays_a_data_folder():
    assert not list((ROOT / "datasets").rglob("__init__.py"))
    import datasets

    assert hasattr(datasets, "load_dataset")


def test_committed_data_stays_under_40_megabytes():
    assert sum(path.stat().st_size for path in (ROOT / "datasets").rglob("*") if path.is_file()) < 40e6


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_everything_committed_stays_under_40_megabytes():
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("git does not list the files here")
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    assert len(paths) > 1000  # else this is not the whole tree
    assert sum(path.lstat().st_size for path in paths if path.is_symlink() or path.exists()) < 40e6


def test_randomness_comes_from_named_streams():
    for path in ROOT.glob("generators/**/*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        sources = {name.split(".")[0] for name in names} & {"random", "numpy", "secrets"}
        assert not sources or path.name == "parts.py", path
    for path in CODE:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        called = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
        assert "hash" not in called, path
        assert not [
            name
            for name in called
            if name.startswith("np.random.")
            and name.split(".")[2] in ("seed", "rand", "randn", "choice", "shuffle", "permutation", "default_rng")
        ], path


def test_everything_printed_passes_through_the_terminals_own_room():
    # There a stranger's text becomes visible; what is printed anywhere else could drive the terminal.
    printed = set()
    for path in ROOT.glob("hansproof/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "click.echo", "click.secho"):
                printed.add(path.relative_to(ROOT).as_posix())
    assert printed == {"hansproof/terminal/streams.py", "hansproof/fetch/index.py"}


def test_data_is_never_code():
    forbidden = ("eval", "exec", "pickle.load", "pickle.loads", "yaml.load", "joblib.load")
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in forbidden, path
                for keyword in node.keywords:
                    if keyword.arg in ("trust_remote_code", "allow_pickle", "shell"):
                        assert isinstance(keyword.value, ast.Constant), path
                        assert keyword.value.value is False, path


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_listed_typed_and_documented(name):
    module = importlib.import_module(name)
    assert module.__doc__, name
    if name.count(".") == 0 and name != "hansproof":
        return
    path = Path(module.__file__)
    if path.name == "__init__.py" and not hasattr(module, "__all__"):
        return
    assert hasattr(module, "__all__"), f"{name} has no __all__"
    for public in module.__all__:
        thing = getattr(module, public)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert thing.__doc__, f"{name}.{public}"
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            assert signature.return_annotation is not inspect.Signature.empty, f"{name}.{public}"
            for parameter in signature.parameters.values():
                assert parameter.annotation is not inspect.Parameter.empty, f"{name}.{public}: {parameter}"


def test_help_loads_nothing_heavy():
    heavy = ("numpy", "scipy", "sklearn", "pandas", "polars", "datasets", "numba", "nltk", "textstat", "jinja2", "rich")
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom hansproof.command_line import command_line\n"
        "result = CliRunner().invoke(command_line(), ['audit', '--help'])\n"
        "assert result.exit_code == 0, result.output\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
