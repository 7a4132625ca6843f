"""The house rules that a machine can check: arrows, sizes, names, imports."""

import ast
import importlib
import inspect
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from generators.registry import MODULES as MODULES_OF_FAMILIES

ROOT = Path(__file__).resolve().parents[1]
CODE = sorted(path for folder in ("generators", "audit", "hansproof") for path in ROOT.glob(f"{folder}/**/*.py"))
ALL = [*CODE, *sorted(ROOT.glob("tests/**/*.py")), *sorted(ROOT.glob("benchmarks/**/*.py"))]
MODULES = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in CODE]


def imports(path, top_level_only=False):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    nodes = tree.body if top_level_only else list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
    return found


def test_generators_do_not_import_audit():
    for path in ROOT.glob("generators/**/*.py"):
        assert not [name for name in imports(path) if name.split(".")[0] in ("audit", "hansproof")], path


def test_generator_families_do_not_import_each_other():
    families = [name.removeprefix("generators.").partition(".")[0] for name in MODULES_OF_FAMILIES.values()]
    for family in families:
        for path in ROOT.glob(f"generators/{family}/**/*.py"):
            others = [f"generators.{other}" for other in families if other != family]
            assert not [name for name in imports(path) if name.startswith(tuple(others))], path


def test_the_audit_imports_no_front_door_and_no_family():
    families = tuple(name.rpartition(".")[0] for name in MODULES_OF_FAMILIES.values())
    for path in ROOT.glob("audit/**/*.py"):
        for name in imports(path):
            assert not name.startswith(("hansproof", *families)), f"{path}: {name}"


@pytest.mark.parametrize(
    ("stage", "may_not_import"),
    [
        ("sources", ("formats", "columns", "groups", "features", "probe", "verdict", "run", "report")),
        ("formats", ("columns", "groups", "features", "probe", "verdict", "run", "report")),
        ("columns", ("sources", "formats", "groups", "features", "probe", "verdict", "run", "report")),
        ("groups", ("sources", "formats", "columns", "features", "probe", "verdict", "run", "report")),
        ("features", ("sources", "formats", "columns", "groups", "probe", "verdict", "run", "report")),
        ("probe", ("sources", "formats", "columns", "groups", "verdict", "run", "report")),
        ("report", ("sources", "formats", "columns", "groups", "features", "probe", "run")),
    ],
)
def test_inside_the_audit_arrows_point_left(stage, may_not_import):
    for path in ROOT.glob(f"audit/{stage}/**/*.py"):
        for name in imports(path):
            assert not name.startswith(tuple(f"audit.{other}" for other in may_not_import)), f"{path}: {name}"


def test_no_module_is_longer_than_300_lines_and_half_are_at_most_150():
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in ALL}
    assert {str(path): size for path, size in sizes.items() if size > 300} == {}
    assert statistics.median(sizes.values()) <= 150


def test_datasets_stays_a_data_folder():
    assert not list((ROOT / "datasets").rglob("__init__.py"))
    import datasets

    assert hasattr(datasets, "load_dataset")


def test_committed_data_stays_under_40_megabytes():
    assert sum(path.stat().st_size for path in (ROOT / "datasets").rglob("*") if path.is_file()) < 40e6


def test_randomness_comes_from_named_streams():
    for path in ROOT.glob("generators/**/*.py"):
        assert not [
            name
            for name in imports(path)
            if name.split(".")[0] in ("random", "numpy", "secrets") and path.name != "atomic.py"
        ], path
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
