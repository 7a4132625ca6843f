"""Who may import whom. Data flows from left to right, imports point left only; there is no way round.

An import is seen wherever it stands (in a function, under TYPE_CHECKING, relative) and however it is written:
`from generators import word_problems`, `import_module("generators.word_problems")`, or the name of a module as a text
in a table.
"""

import ast
import re
from pathlib import Path

import pytest

from generators.registry import MODULES as REGISTERED

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("generators", "audit", "hansproof")
FAMILIES = tuple(sorted({module.rpartition(".")[0] for module in REGISTERED.values()}))


def dotted(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {dotted(path): path for package in PACKAGES for path in sorted(ROOT.glob(f"{package}/**/*.py"))}

DYNAMIC = {
    "generators.registry": "the families",
    "generators.knights_knaves.satisfiability": "a solver that comes without types",
    "generators.word_problems.checking": "the languages of the family",
    "generators.word_problems.scorer": "the languages of the family",
    "generators.word_problems.wording": "the languages of the family",
    "hansproof": "the front door",
    "hansproof.command_line": "the commands",
    "hansproof.exports.export": "the harnesses",
}
"""Modules that may import by a name that is not written out, and from which visible table it comes."""

ALLOWED = {
    ("generators.registry", "generators.*"): "the table of families",
    ("hansproof.command_line", "hansproof.commands.*"): "the table of commands",
}
"""Arrows that the rules forbid and that stand all the same, each with its reason. It may only get shorter."""

READS = ("audit.sources", "audit.formats", "audit.columns", "audit.recipes", "audit.loading")
MEASURES = ("audit.groups", "audit.features", "audit.probe", "audit.ladder", "audit.partial", "audit.statistics")
JUDGES = (
    "audit.verdict", "audit.assessing", "audit.labels", "audit.assembly", "audit.run", "audit.scan", "audit.cluster",
)  # fmt: skip
SERVES = (
    "hansproof.manifests",
    "hansproof.release",
    "hansproof.cards",
    "hansproof.fetch",
    "hansproof.exports",
    "hansproof.fresh",
)

RULES = [
    (("generators",), ("audit", "hansproof"), "what makes items knows nothing of what measures and serves them"),
    (("audit",), ("hansproof",), "the audit stands without the front door"),
    (("generators", "audit", "hansproof"), ("tests", "benchmarks"), "nothing that runs needs its tests"),
    (("audit.sources",), ("audit.formats", "audit.columns", *MEASURES, *JUDGES, "audit.report"), "sources come first"),
    (("audit.formats",), ("audit.columns", *MEASURES, *JUDGES, "audit.report"), "formats come before columns"),
    (("audit.columns",), ("audit.sources", *MEASURES, *JUDGES, "audit.report"), "columns come before measuring"),
    (("audit.recipes",), ("audit.sources", *MEASURES, *JUDGES, "audit.report"), "a recipe names columns, no more"),
    (
        ("audit.sources", "audit.formats", "audit.columns"),
        ("audit.recipes",),
        "what is read knows no benchmark by name",
    ),
    (("audit.groups",), (*READS, "audit.features", "audit.probe", *JUDGES, "audit.report"), "groups need only texts"),
    (("audit.features",), (*READS, "audit.groups", "audit.probe", *JUDGES, "audit.report"), "features need only texts"),
    (("audit.probe",), (*READS, "audit.groups", *JUDGES, "audit.report"), "the probe needs only features"),
    (
        ("audit.probe.folds", "audit.probe.logistic", "audit.probe.crossfit", "audit.probe.solvers"),
        ("audit.probe.numbers", "audit.probe.injection", "audit.probe.evidence"),
        "predictions come before numbers",
    ),
    (
        ("audit.groups", "audit.features", "audit.probe"),
        ("audit.partial", "audit.ladder"),
        "shortcuts come after probes",
    ),
    (("audit.partial",), (*READS, *JUDGES, "audit.ladder", "audit.report"), "parts need only probes"),
    (("audit.ladder",), (*READS, *JUDGES, "audit.report"), "the ladder needs only what probes say"),
    (
        (*MEASURES, *READS, "audit.verdict", "audit.assessing", "audit.labels", "audit.assembly"),
        ("audit.options",),
        "options per item are measured by what measures labels",
    ),
    (
        ("audit.options",),
        ("audit.labels", "audit.run", "audit.scan", "audit.report"),
        "options are measured like labels",
    ),
    (
        ("audit.verdict",),
        (*READS, *MEASURES, "audit.assessing", "audit.labels", "audit.assembly", "audit.run", "audit.report"),
        "a verdict needs only numbers",
    ),
    (
        ("audit.assessing",),
        (*READS, "audit.labels", "audit.published", "audit.openended", "audit.assembly", "audit.run", "audit.report"),
        "the order of measuring knows neither labels nor options",
    ),
    (("audit.labels",), (*READS, "audit.openended", "audit.run", "audit.report"), "measuring does not report"),
    (("audit.openended",), (*READS, "audit.run", "audit.report"), "strategies need only a benchmark"),
    (("audit.report.sections",), ("audit.report.terminal", "audit.report.page"), "sentences know no screen"),
    (
        ("audit.features.tokens", "audit.features.formatting"),
        ("audit.features.table", "audit.features.vectors", "audit.features.ngrams"),
        "a text is cut before it is counted",
    ),
    (MEASURES, ("audit.openended",), "probes know nothing of open-ended answers"),
    (("audit.statistics",), (*READS, *MEASURES[:-1], *JUDGES, "audit.report"), "statistics need only numbers"),
    (
        ("audit.published",),
        ("audit.assessing", "audit.labels", "audit.assembly", "audit.run", "audit.scan", "audit.report"),
        "a published split is measured like the others, before the result",
    ),
    (
        ("audit.explanation.single_ngrams",),
        (*READS, "audit.groups", "audit.probe", *JUDGES, "audit.report"),
        "single n-grams need only counts and numbers of groups",
    ),
    (("audit.documents",), (*READS, *MEASURES, *JUDGES, "audit.report"), "a document needs only the result"),
    (("audit.cluster",), ("audit.scan", "audit.run"), "a cluster does what it is told"),
    (("audit.comparison",), ("audit.report",), "a comparison prints nothing"),
    (("audit.report",), (*READS, *MEASURES, "audit.options", "audit.run"), "a report needs only the result"),
    ((*READS, *MEASURES, *JUDGES), ("audit.repair", "audit.comparison"), "repair and comparison come after judging"),
    (("audit.repair",), ("audit.report", "audit.run"), "a repair prints nothing"),
    (("audit.responses",), (*READS, "audit.groups", "audit.features", *JUDGES), "answers of models are not audited"),
    (MEASURES + READS + ("audit.report",), ("audit.responses",), "an audit knows no answers of models"),
    (
        ("audit.records",),
        (
            *READS,
            *MEASURES,
            *JUDGES,
            "audit.openended",
            "audit.published",
            "audit.explanation",
            "audit.report",
        ),
        "a record knows nothing of how it was made",
    ),
    (
        ("hansproof.manifests",),
        ("hansproof.release", "hansproof.cards", "hansproof.fetch", "hansproof.exports"),
        "a manifest knows no release",
    ),
    (("hansproof.cards",), ("hansproof.release", "hansproof.fetch"), "a card is drawn from a manifest"),
    (("hansproof",), ("hansproof.commands",), "only the table of commands knows the commands"),
    (("hansproof.terminal",), SERVES, "the terminal knows no job"),
    (SERVES, ("hansproof.terminal", "hansproof.command_line"), "a job is done without a terminal"),
    (("hansproof.commands", "hansproof.terminal"), ("hansproof.command_line",), "commands do not know their table"),
]
"""Modules that begin with one of the first import none that begins with one of the second."""


def within(module, package):
    return module == package or module.startswith(f"{package}.")


def family(module):
    return next((package for package in FAMILIES if within(module, package)), None)


def imported(source, module, is_package=False):
    """Everything that a module imports, as dotted names; `?` for a name that is not written out."""
    here = module.split(".") if is_package else module.split(".")[:-1]
    names = []
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
                names.append(".".join([*here[: len(here) - level + 1], text.lstrip(".")]))
        if isinstance(node, ast.Name | ast.Attribute | ast.alias):
            called = (
                node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else node.name
            )
            if called in ("import_module", "__import__", "exec_module", "run_module", "load_module"):
                names.append("?")
    return names


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


FORBIDDEN = [
    ("audit.recipes.fitting", "from audit.sources.content import read"),
    ("audit.formats.harnesses.big_bench", "from audit.recipes.shelf import find_recipe"),
    ("generators.knights_knaves.puzzle", "from generators import word_problems"),
    ("generators.knights_knaves.puzzle", "from .. import word_problems"),
    ("generators.knights_knaves.puzzle", "from ..word_problems import model"),
    ("generators.knights_knaves.puzzle", "from ..word_problems.model import Equation"),
    ("generators.knights_knaves.puzzle", "import generators.word_problems.model as model"),
    ("generators.word_problems.english.wording", "from ...knights_knaves import puzzle"),
    ("generators.item", "from generators.planted_cues import design"),
    ("generators.production", "def make():\n    import generators.planted_cues.design"),
    ("generators.stream", "from audit import verdict"),
    ("generators.stream", "from hansproof import __version__"),
    ("generators.stream", "if TYPE_CHECKING:\n    import hansproof.release"),
    ("audit.features.ngrams", "from audit import run"),
    ("audit.features.ngrams", "from .. import run"),
    ("audit.features.ngrams", "from ..run import examine"),
    ("audit.features.ngrams", "def late():\n    from audit import report"),
    ("audit.features.ngrams", "import importlib\nrun = importlib.import_module('audit.run')"),
    ("audit.features.ngrams", "from importlib import import_module as load\nload('audit.run')"),
    ("audit.features.ngrams", "from importlib import import_module as load\nload('..run', __package__)"),
    ("audit.features.ngrams", "__import__('audit' + '.run')"),
    ("audit.features.ngrams", "import importlib\nimportlib.import_module(f'audit.{name}')"),
    ("audit.probe.folds", "import audit.report.words"),
    ("audit.probe.numbers.scheme", "from audit.ladder.climbing import Climb"),
    ("audit.probe.folds", "from audit.probe.numbers.scheme import measure"),
    ("audit.partial.inputs", "from audit.ladder import rungs"),
    ("audit.ladder.rungs", "from audit.verdict import decide"),
    ("audit.report.words", "from audit.statistics import kappa"),
    ("audit.statistics.intervals", "from audit.probe import folds"),
    ("audit.sources.content", "from ..columns import roles"),
    ("audit.responses.effects", "SCORERS = {'word-problems': 'generators.word_problems.score'}"),
    ("audit.responses.effects", "from hansproof.terminal.progress import on_stderr"),
    ("audit.verdict", "import generators.planted_cues"),
    ("hansproof.release.verify", "from hansproof.commands.verify import verify"),
    ("hansproof.release.verify", "from ..terminal import progress"),
    ("hansproof.manifests.manifest", "from hansproof.release.freeze import staging"),
    ("hansproof.cards.card", "from hansproof.release.frozen import Frozen"),
    ("audit.documents.document", "from audit.report import words"),
    ("audit.cluster.connection", "from audit.run import examine_loaded"),
    ("audit.comparison.diff", "from audit.report import words"),
    ("audit.records.openended", "from audit.openended.golds import Golds"),
    ("hansproof.cards.card", "from generators.knights_knaves.dataset import DATASET"),
    ("hansproof.terminal.outputs", "from hansproof.fetch import index"),
    ("hansproof.commands.list", "from hansproof.command_line import COMMANDS"),
    ("hansproof.fresh", "TABLE = {'list': 'hansproof.commands.list:list_'}"),
    ("audit.features.ngrams", "from importlib import import_module as load\nload('audit' + '.run')"),
    ("audit.formats.delimited", "from audit.columns.roles import guess"),
    ("audit.columns.roles", "import audit.groups.skeleton"),
    ("audit.groups.joins", "from audit.features import spans"),
    ("audit.verdict.rule", "from audit.report import words"),
    ("audit.assessing.course", "from audit.labels.course import LabelCourse"),
    ("audit.report.sections.splits", "from audit.report.terminal.ink import Ink"),
    ("audit.features.tokens.words", "from audit.features.table import FeatureTable"),
    ("audit.published.measuring", "from audit.labels.assessment import assess"),
    ("audit.explanation.single_ngrams.survey", "from audit.probe.crossfit import crossfit"),
    ("audit.labels.assessment", "from audit.run import examine"),
    ("audit.responses.effects", "from audit import verdict"),
    ("audit.report.words", "from audit.responses import rates"),
    ("audit.run", "from tests import conftest"),
    ("audit.openended.crossfit", "from audit.columns.kind import kind"),
    ("audit.probe.folds", "from audit.openended.golds import Golds"),
    ("audit.probe.folds", "from audit.options.items.pool import Pool"),
    ("audit.columns.choices.reading", "from audit.options import pool"),
    ("audit.options.assessment", "from audit.labels.course import COUNTED"),
    ("audit.run", "from audit.repair.harden import harden"),
    ("audit.repair.search", "from audit.report import words"),
]


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
        ("audit.features.table", "from audit.features import ngrams\nfrom audit import benchmark"),
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
