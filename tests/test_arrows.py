"""Who may import whom. Data flows from left to right, imports point left only; there is no way round.

An import is seen wherever it stands (in a function, under TYPE_CHECKING, relative) and however it is written:
`from generators import word_problems`, `import_module("generators.word_problems")`, or the name of a module as a text
in a table.
"""

import ast
import re
from pathlib import Path

import pytest
from arrow_rules import FORBIDDEN, RULES

from generators.registry import MODULES as REGISTERED

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("generators", "audit", "hansproof")
FAMILIES = tuple(sorted({module.rpartition(".")[0] for module in REGISTERED.values()}))


def dotted(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {dotted(path): path for package in PACKAGES for path in sorted(ROOT.glob(f"{package}/**/*.py"))}

DYNAMIC = {
    "generators.registry": "the families",
    "generators.knights_knaves.formula": "a solver that comes without types",
    "generators.word_problems.checking": "the languages of the family",
    "generators.word_problems.dataset": "the languages of the family",
    "generators.word_problems.scorer": "the languages of the family",
    "hansproof": "the front door",
    "hansproof.command_line": "the commands",
    "hansproof.release.exports.export": "the harnesses",
    "hansproof.runs.asking": "the module of a user's own function",
}
"""Modules that may import by a name that is not written out, and from which visible table it comes."""

ALLOWED = {
    ("generators.registry", "generators.*"): "the table of families",
    ("hansproof.command_line", "hansproof.commands.*"): "the table of commands",
}
"""Arrows that the rules forbid and that stand all the same, each with its reason. It may only get shorter."""


def within(module, package):
    return module == package or module.startswith(f"{package}.")


def family(module):
    return next((package for package in FAMILIES if within(module, package)), None)


def imported(source, module, is_package=False):
    """Everything that a module imports, as dotted names; `?` for a name that is not written out."""
    here = module.split(".") if is_package else module.split(".")[:-1]
    names, relative = [], []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            names += [f"{start}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.partition(":")[0]
            if re.fullmatch(r"\w+(\.\w+)+", text) and text.split(".")[0] in PACKAGES:
                names.append(text)
            elif re.fullmatch(r"\.+\w+(\.\w+)*", text):  # what import_module takes as a relative name
                level = len(text) - len(text.lstrip("."))
                relative.append(".".join([*here[: len(here) - level + 1], text.lstrip(".")]))
        if isinstance(node, ast.Name | ast.Attribute | ast.alias):
            called = (
                node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else node.name
            )
            if called in ("import_module", "__import__", "exec_module", "run_module", "load_module"):
                names.append("?")
    # Where nothing is imported by its name, `.jsonl` is how the name of a file ends.
    return names + relative if "?" in names else names


def faults(source, module, is_package=False):
    """What the arrows forbid of the imports of one module, a sentence each."""
    said = []
    for name in imported(source, module, is_package):
        if name == "?":
            said += [] if module in DYNAMIC else [f"{module} imports by a name that is not written out"]
            continue
        for importers, forbidden, why in RULES:
            if any(within(module, package) for package in importers) and any(within(name, bad) for bad in forbidden):
                # A command may import what stands beside it in its own folder.
                if "hansproof.commands" in forbidden and within(module, "hansproof.commands"):
                    continue
                said.append(f"{module} imports {name}: {why}")
        if family(name) and family(name) != family(module):
            said.append(f"{module} imports {name}: a family is reached through the registry")
    return [fault for fault in said if not allowed(fault)]


def allowed(fault):
    """The entry of ALLOWED that covers a fault, if there is one."""
    module, _, rest = fault.partition(" imports ")
    name = rest.partition(":")[0]
    for importer, pattern in ALLOWED:
        if module == importer and within(name, pattern.removesuffix(".*")):
            return importer, pattern
    return None


@pytest.mark.parametrize("module", FILES)
def test_imports_point_left_only(module):
    path = FILES[module]
    assert faults(path.read_text(encoding="utf-8"), module, path.name == "__init__.py") == []


def test_every_exception_is_still_needed(monkeypatch):
    sources = {module: path.read_text(encoding="utf-8") for module, path in FILES.items()}
    needed = set()
    monkeypatch.setitem(globals(), "allowed", lambda fault, real=allowed: needed.add(real(fault)))
    for module, source in sources.items():
        faults(source, module, FILES[module].name == "__init__.py")
    assert needed - {None} == set(ALLOWED)
    dynamic = {module for module in sources if "?" in imported(sources[module], module)}
    assert dynamic == set(DYNAMIC)


def circles(graph):
    """The sets of nodes of a graph (node -> nodes) that reach each other, those of several nodes, by their names."""
    reached = {}
    for start in graph:
        ahead = [start]
        reached[start] = set()
        while ahead:
            new = graph.get(ahead.pop(), set()) - reached[start]
            reached[start] |= new
            ahead += new
    together = {frozenset(n for n in reached[node] if node in reached.get(n, ())) for node in graph}
    return sorted((set(nodes) for nodes in together if len(nodes) > 1), key=sorted)


def rooms_importing(package, imports):
    """Room -> the other rooms of the same package that it imports; a room is a module or a package just below."""
    graph = {}
    for module, names in imports.items():
        for name in names:
            if within(module, package) and within(name, package) and package not in (module, name):
                room, other = (dotted.removeprefix(f"{package}.").partition(".")[0] for dotted in (module, name))
                # A name of the package itself, such as its function, is no room.
                if room != other and f"{package}.{other}" in FILES:
                    graph.setdefault(room, set()).add(other)
    return graph


def test_no_two_rooms_of_a_package_import_each_other():
    imports = {
        module: imported(path.read_text(encoding="utf-8"), module, path.name == "__init__.py")
        for module, path in FILES.items()
    }
    packages = [module for module, path in FILES.items() if path.name == "__init__.py"]
    every = {package: circles(rooms_importing(package, imports)) for package in packages}
    # Imports in functions and under TYPE_CHECKING count, too.
    assert {package: rooms for package, rooms in every.items() if rooms} == {}


def test_a_relative_name_counts_where_something_is_imported_by_its_name():
    table = "ROOMS = {'lines': '.jsonl'}\n"
    assert imported(table, "generators.jsonl") == []
    assert "generators.jsonl" in imported(f"from importlib import import_module\n{table}", "generators.jsonl")


def test_a_circle_is_seen_however_long_it_is():
    imports = {
        "audit.replies.joining": ["audit.models.scores.score"],
        "audit.responses": ["audit.models.sides"],
        "audit.models.sides": ["audit.replies.grid", "audit.notation"],
        "audit.notation": ["math", "audit"],
    }
    assert circles(rooms_importing("audit", imports)) == [{"answers", "paired", "responses"}]
    del imports["audit.models.sides"]
    assert circles(rooms_importing("audit", imports)) == []


@pytest.mark.parametrize(("module", "source"), FORBIDDEN)
def test_no_way_round_is_missed(module, source):
    assert faults(source, module), "this import is forbidden, and nothing was said"


def test_every_rule_catches_an_example():
    said = "\n".join(fault for module, source in FORBIDDEN for fault in faults(source, module))
    assert [why for _, _, why in RULES if why not in said] == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("generators.knights_knaves.puzzle", "from . import statements\nfrom ..stream import Stream"),
        ("generators.registry", "MODULES = {'word-problems': 'generators.word_problems.dataset'}"),
        ("audit.texts.feature_table", "from audit.features import ngrams\nfrom audit import benchmark"),
        (
            "audit.run",
            '"""Called by `hansproof.audit`; see `hansproof.command_line`."""\nfrom audit.report import words',
        ),
        (
            "hansproof.command_line",
            "from importlib import import_module\nT = {'list': 'hansproof.commands.list:list_'}",
        ),
        ("hansproof.commands.list", "from hansproof.terminal.outputs import check_output"),
        ("hansproof.commands.export", "from importlib.resources import files"),
    ],
)
def test_what_points_left_is_let_through(module, source):
    assert faults(source, module) == []
