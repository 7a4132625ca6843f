"""The house rules that a machine can check, on one parse of the tree: sizes, arrows, names, randomness, what is public.

Complexity, unused names and style are checked by ruff, types by mypy.
"""

import ast
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from hansproof.generators.registry import MODULES as FAMILIES

ROOT = Path(__file__).resolve().parents[1]
TOPS = ("generators", "audit", "hansproof")

FLOORS = """
    generators: errors stream
    generators: arguments input item lexicon
    generators: answering output
    generators: episode jsonl
    generators: dataset
    generators: cognitive_tasks knights_knaves planted_cues token_bias word_problems registry
    generators: production
    generators: styles
    audit: notation
    audit: result statistics texts
    audit: benchmark probes verdict
    audit: formats shortcuts
    audit: harnesses phenotype settings
    audit: reading
    audit: result_cache tasks
    audit: repair replies run
    audit: models scale
    audit: report
    hansproof: release
    hansproof: fetch runs scoring
    hansproof: comparing item_analysis terminal
    hansproof: auditing
    hansproof: api
    hansproof: commands
    hansproof: command_line
    hansproof: starting
    hansproof: __main__
"""
"""The house from the ground up, a floor a line. A room imports itself and lower floors, never its own floor or above.

So families never import each other, what makes knows nothing of what measures and serves, and there is no circle.
"""

DYNAMIC = {
    "hansproof.generators.registry": "the families",
    "hansproof.generators.knights_knaves.formula": "a solver that comes without types",
    "hansproof.command_line": "the commands",
    "hansproof": "the front door",
    "hansproof.audit": "the function that the package is called as",
    "hansproof.release.exports.export": "the harnesses",
    "hansproof.runs.asking": "the module of a user's own function",
}
"""Modules that import by a name that is not written out, and from which visible table it comes."""


class Module(NamedTuple):
    name: str
    path: Path
    text: str
    tree: ast.Module
    nodes: list[ast.AST]

    @property
    def place(self):
        return self.path.relative_to(ROOT).as_posix()


@cache
def modules(*tops):
    """Every Python file below these folders of the project, parsed once."""
    parsed = []
    for top in tops:
        for path in sorted((ROOT / top).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts if top == "hansproof" else ("hansproof", *parts)).removesuffix(".__init__")
            parsed.append(Module(name, path, text, tree, list(ast.walk(tree))))
    return parsed


def product():
    return modules(*TOPS)


def room(name):
    """`audit.texts` of `hansproof.audit.texts.ngrams`, `hansproof.runs` of `hansproof.runs.turn`."""
    parts = name.split(".")
    return ".".join(parts[1:3]) if parts[1:2] and parts[1] in ("audit", "generators") else ".".join(parts[:2])


FLOOR = {
    f"{top.strip()}.{name}": number
    for number, line in enumerate(FLOORS.strip().splitlines())
    for top, _, names in [line.partition(":")]
    for name in names.split()
}


def imported(module, tables=True):
    """Everything of ours that a module imports, wherever it stands: dotted names, in `tables` too; `?` if unknown."""
    here = module.name.split(".") if module.path.name == "__init__.py" else module.name.split(".")[:-1]
    names = set()
    for node in module.nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*(here[: len(here) - node.level + 1] if node.level else ()), *filter(None, [node.module])])
            names |= {f"{base}.{alias.name}" for alias in node.names}
        elif tables and isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {match for match in re.findall(r"^hansproof(?:\.\w+)+", node.value) if match.count(".") > 1}
        if isinstance(node, ast.Name | ast.Attribute | ast.alias) and {
            getattr(node, key, "") for key in ("id", "attr", "name")
        } & {"import_module", "__import__", "exec_module", "run_module", "load_module"}:
            names.add("?")
    return {name for name in names if name == "?" or name.split(".")[0] == "hansproof"}


def faults(module):
    """What the floors forbid of the imports of one module, a sentence each."""
    own = room(module.name)
    said = []
    for name in imported(module):
        other = room(name)
        if name == "?":
            said += [] if module.name in DYNAMIC else [f"{module.name} imports by a name that is not written out"]
        elif other in {room(family) for family in FAMILIES.values()} - {own}:
            if own != "generators.registry":
                said.append(f"{module.name} imports {name}: a family is reached through the registry")
        elif other in FLOOR and own in FLOOR and other != own and FLOOR[other] >= FLOOR[own]:
            said.append(f"{module.name} imports {name}, which is not on a lower floor")
        elif other not in FLOOR and own in FLOOR and own != "hansproof.__main__" and name != "hansproof.__version__":
            said.append(f"{module.name} imports {name}, which stands on no floor")
    return said


def parsed(name, text):
    tree = ast.parse(text)
    return Module(name, Path("x.py"), text, tree, list(ast.walk(tree)))


def test_a_room_imports_lower_floors_only():
    assert {room(module.name) for module in product()} - {"hansproof", "audit", "generators"} == set(FLOOR)
    assert [fault for module in product() for fault in faults(module)] == []
    used = {module.name for module in product() if "?" in imported(module)}
    assert used == set(DYNAMIC)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hansproof.generators.knights_knaves.puzzle", "from hansproof.generators import word_problems"),
        ("hansproof.generators.knights_knaves.puzzle", "from .. import word_problems"),
        ("hansproof.generators.knights_knaves.puzzle", "from ..word_problems.model import Equation"),
        ("hansproof.generators.item", "from hansproof.generators.planted_cues import design"),
        ("hansproof.generators.stream", "if TYPE_CHECKING:\n    import hansproof.release.card"),
        ("hansproof.audit.texts.ngrams", "def late():\n    from hansproof.audit import report"),
        ("hansproof.audit.texts.ngrams", "import importlib\nimportlib.import_module(f'audit.{name}')"),
        ("hansproof.audit.texts.ngrams", "__import__('audit' + '.run')"),
        ("hansproof.audit.probes.folds", "import hansproof.audit.report.words"),
        ("hansproof.audit.statistics.intervals", "from hansproof.audit.probes.folds import Fold"),
        ("hansproof.audit.replies.joining", "ROOMS = {'words': 'hansproof.audit.report.words'}"),
        ("hansproof.audit.result.record", "from ..report import words"),
        ("hansproof.audit.run", "from hansproof.audit.repair.harden import harden"),
        ("hansproof.terminal.outputs", "from hansproof.commands import run"),
        ("hansproof.release.card", "from hansproof.generators.knights_knaves.dataset import DATASET"),
        ("hansproof.fetch.index", "from hansproof.nowhere import thing"),
    ],
)  # fmt: skip
def test_an_arrow_that_points_up_is_noticed_however_it_is_written(name, text):
    assert faults(parsed(name, text))


def circles(graph):
    """The sets of nodes of a graph (node -> nodes) that reach each other, by their names."""
    reached = {}
    for start in graph:
        ahead, reached[start] = [start], set()
        while ahead:
            new = graph.get(ahead.pop(), set()) - reached[start]
            reached[start] |= new
            ahead += new
    return sorted({tuple(sorted(n for n in reached[node] if node in reached.get(n, ()))) for node in graph} - {()})


def test_no_files_import_each_other_in_a_circle():
    names = {module.name for module in product()}
    graph = {
        module.name: {
            home
            for name in imported(module, tables=False)
            for home in (name, name.rpartition(".")[0])
            if home in names - {module.name}
        }
        for module in product()
        if module.path.name != "__init__.py"
    }
    assert circles(graph) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [("a", "b", "c")]


def test_the_audit_has_about_twenty_rooms_and_no_more_than_a_hundred_arrows():
    rooms = {name for name in FLOOR if name.startswith("audit.")}
    arrows = {
        (room(module.name), room(name)) for module in product() for name in imported(module) if {room(name)} <= rooms
    }
    assert len(rooms) <= 22
    assert sum(own in rooms and own != other for own, other in arrows) <= 100
    assert len({FLOOR[name] for name in rooms}) <= 11


def test_files_and_calls_are_of_a_size_that_can_be_held():
    sizes = {module.place: len(module.text.splitlines()) for module in modules(*TOPS, "tests", "benchmarks", "docs")}
    assert {place: size for place, size in sizes.items() if size > 600} == {}
    # Public functions and commands spell out all that one may ask of them; nothing else has more than eight arguments.
    long = set()
    for module in product():
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef):
                count = sum(map(len, (node.args.posonlyargs, node.args.args, node.args.kwonlyargs)))
                is_command = any("command" in ast.unparse(each) for each in node.decorator_list)
                if count - (node.args.args[:1] != [] and node.args.args[0].arg == "self") > 8 and not is_command:
                    long.add(f"{module.name}.{node.name}")
    doors = ("api", "audit.run", "audit.repair.harden", "comparing", "fetch.download", "item_analysis", "scoring")
    assert {name.rpartition(".")[0].removeprefix("hansproof.") for name in long} <= set(doors), long


def test_every_listed_name_is_typed_documented_and_used():
    texts = [*product(), *modules("benchmarks", "docs")]
    words = {module.place: Counter(re.findall(r"\w+", module.text)) for module in texts}
    templates = [path for top in TOPS for path in (ROOT / top).rglob("*.j2")]
    words |= {path.as_posix(): Counter(re.findall(r"\w+", path.read_text(encoding="utf-8"))) for path in templates}
    wrong = []
    for module in product():
        assert ast.get_docstring(module.tree), module.place
        listed = next(
            (ast.literal_eval(node.value) for node in module.tree.body
             if isinstance(node, ast.Assign | ast.AnnAssign)
             and "__all__" in ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)),
            None,
        )  # fmt: skip
        if module.path.name == "__init__.py" and listed is None:
            continue
        assert listed is not None, f"{module.place} has no __all__"
        homes = {node.name: node for node in module.tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        for name in listed:
            node = homes.get(name)
            if node and not ast.get_docstring(node):
                wrong.append(f"{module.place}: {name} has no docstring")
            if isinstance(node, ast.FunctionDef):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                typed = [argument.annotation for argument in given] + [node.returns]
                if None in typed:
                    wrong.append(f"{module.place}: {name} is not typed")
            # Beside its definition and `__all__`: in its own module, or anywhere else but in tests.
            if words[module.place][name] <= 2 and not any(
                name in counts for place, counts in words.items() if place != module.place
            ):
                wrong.append(f"{module.place}: only tests use {name}")
    assert wrong == []


def test_a_name_says_what_it_holds_and_means_one_thing():
    classes = Counter(
        (node.name, module.name.split(".")[1])
        for module in product()
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
    )
    for name in ("Difference", "Estimate", "Pair", "Part", "Plan", "Row", "Table", "Findings", "Pool", "Stretch"):
        assert classes[name, "audit"] <= 1, name
    # `one` and `found` say nothing of what they hold: an item, a subset, a fault.
    empty = set()
    for module in modules(*TOPS, "tests", "benchmarks", "docs"):
        for node in module.nodes:
            name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""
            if name in ("one", "found"):
                empty.add(f"{module.place}:{node.lineno}: {name}")
    assert empty == set()


FORBIDDEN = re.compile(r"(eval|exec|hash|yaml\.load|os\.system|(pickle|joblib|random|subprocess|numpy\.random)\.\w+)$")
ALLOWED = {"numpy.random.Generator", "numpy.random.PCG64", "numpy.random.RandomState"}
"""Numbers of a named stream, and those of a published split, whose seed is given."""


def imported_names(module):
    """Name -> what it stands for: `np` for `numpy`, `loads` for `pickle.loads`."""
    names = {}
    for node in module.nodes:
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_data_is_never_code_and_chance_comes_from_named_streams():
    printed = set()
    for module in product():
        names = imported_names(module)
        for node in module.nodes:
            if isinstance(node, ast.Call):
                first, *rest = ast.unparse(node.func).split(".")
                called = ".".join((names.get(first, first if not rest else "a local name"), *rest))
                assert called in ALLOWED or not FORBIDDEN.match(called), f"{module.place}:{node.lineno}: {called}"
                for keyword in node.keywords:
                    if keyword.arg in ("trust_remote_code", "allow_pickle", "shell"):
                        assert ast.unparse(keyword.value) == "False", module.place
                if called in ("print", "click.echo", "click.secho"):
                    printed.add(module.name)
        if module.name.startswith("hansproof.generators"):
            sources = {
                alias.name.split(".")[0]
                for node in module.nodes
                if isinstance(node, ast.Import)
                for alias in node.names
            } | {(node.module or "").split(".")[0] for node in module.nodes if isinstance(node, ast.ImportFrom)}
            # Names of temporary files come from `secrets`, and nothing else does.
            assert not sources & {"random", "numpy", "secrets"} or module.name == "hansproof.generators.output"
    # In the terminal's own room a stranger's text becomes visible; what is printed elsewhere could drive a terminal.
    assert printed == {"hansproof.terminal.streams", "hansproof.fetch.index"}


NAMES = re.compile("|".join(sorted({re.sub("[-_]", "[-_ ]", name) for name in FAMILIES})), re.IGNORECASE)
ASKED = {
    "audit/formats/content.py": "standard input and errors of the system",
    "audit/formats/table.py": "scalars of other libraries",
    "hansproof/commands/generate.py": "what the platform has",
    "hansproof/terminal/streams.py": "standard output, which anybody may have replaced",
}
"""Generic modules that ask by `getattr` or `hasattr` for a name written out, and of what. It may only get shorter."""


def families_named(tree):
    """The families that a module names: in texts, imports and names; in docstrings and in help they are examples."""
    exempt = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            exempt.add(id(node.value))
        elif (isinstance(node, ast.keyword) and node.arg in ("help", "epilog", "metavar")) or (
            isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("EPILOG")
        ):
            exempt |= {id(each) for each in ast.walk(node.value)}
    words = [
        value
        for node in ast.walk(tree)
        if id(node) not in exempt
        for _, value in ast.iter_fields(node)
        if isinstance(value, str)
    ]
    return [word for word in words if NAMES.search(word)]


def names_asked(tree):
    """The names, written out, for which a module asks by `getattr` or `hasattr`."""
    return [
        argument.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("getattr", "hasattr", "attrgetter", "methodcaller")
        for argument in node.args[:2]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def test_generic_code_names_no_family_and_asks_by_no_name_what_a_thing_has():
    folders = {module.split(".")[2] for module in FAMILIES.values()}
    generic = [
        module
        for module in product()
        if module.name != "hansproof.generators.registry" and not {*module.name.split(".")} & folders
    ]
    assert [module.place for module in generic if families_named(module.tree)] == []
    assert {module.place for module in generic if names_asked(module.tree)} == set(ASKED)
    for top in TOPS:
        for path in (ROOT / top).rglob("*"):
            if path.suffix in (".j2", ".css", ".txt") and not {*path.parts} & {*folders, "examples"}:
                assert not NAMES.search(path.read_text(encoding="utf-8")), path
    for text in (
        "if family == 'word-problems': pass",
        "knights_knaves = 1",
        "f(planted_cues=1)",
        "x = f'no {planted_cues}'",
    ):
        assert families_named(ast.parse(text)), text
    for text in ("'''Such as `knights-knaves`.'''", "EPILOG = 'hansproof list planted-cues'", "x(help='planted-cues')"):
        assert not families_named(ast.parse(text)), text
    assert names_asked(ast.parse("getattr(scorer, 'agreement', None)"))


def test_datasets_is_a_data_folder_and_what_is_committed_stays_under_40_megabytes():
    import datasets

    assert hasattr(datasets, "load_dataset")
    assert not list((ROOT / "datasets").rglob("__init__.py"))
    assert sum(path.stat().st_size for path in (ROOT / "datasets").rglob("*") if path.is_file()) < 40e6
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("git does not list the files here")
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    assert len(paths) > 1000  # else this is not the whole tree
    assert sum(path.lstat().st_size for path in paths if path.is_symlink() or path.exists()) < 40e6
