"""Generic code knows families by the registry and by types alone: it never names one, and never asks what one has.

Generic is every module outside the folders of the families, but for the registry itself. A name is an example, and
allowed, in a docstring (also one under a field) and in what a help page shows: the arguments `help`, `epilog` and
`metavar`, and texts assigned to a name that ends in `EPILOG`.
"""

import ast
import re
from pathlib import Path

import pytest

from generators.registry import MODULES as REGISTERED

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {module.rpartition(".")[0].replace(".", "/") for module in REGISTERED.values()}
NAMES = re.compile("|".join(sorted({re.sub("[-_]", "[-_ ]", name) for name in REGISTERED})), re.IGNORECASE)
FILES = [
    path
    for package in ("generators", "audit", "hansproof")
    for path in sorted(ROOT.glob(f"{package}/**/*"))
    if path.suffix in (".py", ".j2", ".css", ".txt")
    and not any(folder in path.as_posix() for folder in FOLDERS)
    and path != ROOT / "generators/registry.py"
]

NAMED: dict[str, str] = {}
"""Generic modules that name a family all the same, each with its reason: none."""

ASKED = {
    "audit/formats/content.py": "standard input and errors of the system",
    "audit/reading/hub.py": "errors of another library",
    "audit/formats/table.py": "scalars of other libraries",
    "hansproof/commands/generate.py": "what the platform has",
    "hansproof/terminal/streams.py": "standard output, which anybody may have replaced",
}
"""Generic modules that ask by `getattr` or `hasattr` for a name written out, and of what. It may only get shorter."""


def examples(tree):
    """The nodes of a module in which a family may be named."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif (isinstance(node, ast.keyword) and node.arg in ("help", "epilog", "metavar")) or (
            isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("EPILOG")
        ):
            yield from ast.walk(node.value)


def families_named(source):
    """The families that a module names outside its examples: in texts, imports and names."""
    tree = ast.parse(source)
    exempt = {id(node) for node in examples(tree)}
    words = []
    for node in ast.walk(tree):
        if id(node) in exempt:
            continue
        words += [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
    return [word for word in words if NAMES.search(word)]


def names_asked(source):
    """The names, written out, for which a module asks by `getattr` or `hasattr`."""
    return [
        argument.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("getattr", "hasattr", "attrgetter", "methodcaller")
        for argument in node.args[:2]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def test_generic_code_names_no_family():
    naming = set()
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if families_named(text) if path.suffix == ".py" else NAMES.search(text):
            naming.add(path.relative_to(ROOT).as_posix())
    assert naming == set(NAMED)


def test_generic_code_asks_by_no_name_what_a_thing_has():
    asking = {path for path in FILES if path.suffix == ".py" and names_asked(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(ROOT).as_posix() for path in asking} == set(ASKED)


@pytest.mark.parametrize(
    "source",
    [
        "SLICES = {'knights-knaves': ('set', 'n')}",
        "if family == 'word-problems': pass",
        "from generators import planted_cues",
        "from generators.planted_cues.design import BLOCK",
        "import generators.planted_cues",
        "def score_knights_knaves(): pass",
        "knights_knaves = 1",
        "x.word_problems",
        "f(planted_cues=1)",
        "print('Only for Knights and knaves', 'Word problems')",
        "message = f'not for knights-knaves {x}'",
        "class A:\n    '''Knights-knaves is an example here.'''\n    kind = 'knights-knaves'",
    ],
)
def test_a_family_that_is_named_is_caught(source):
    assert families_named(source)


@pytest.mark.parametrize(
    "source",
    [
        "'''Such as `knights-knaves`.'''",
        "def f():\n    '''Load `word-problems@1.0.0`.'''",
        "class A:\n    name: str\n    '''`knights-knaves`: in ids and paths.'''",
        "_LIST_EPILOG = '''Example: hansproof list planted-cues'''",
        "root = Root('x', epilog='hansproof audit datasets/planted-cues/1.0.0/none.jsonl')",
        "# knights-knaves has its own form\nx = 1",
    ],
)
def test_a_family_that_is_an_example_is_let_through(source):
    assert families_named(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "getattr(scorer, 'agreement', None)",
        "if hasattr(family, 'shortcuts'): pass",
        "builtins.getattr(x, 'y')",
        "operator.attrgetter('right')",
    ],
)
def test_a_name_that_is_asked_for_is_caught(source):
    assert names_asked(source)


def test_a_name_that_comes_from_a_table_is_let_through():
    assert names_asked("getattr(module, attribute)") == []
