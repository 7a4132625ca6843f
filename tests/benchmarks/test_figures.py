"""The figures of the README are those that the script makes from the frozen sample."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hansproof.audit import notation
from hansproof.audit.run import examine

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow  # one audit of the sample
NAMES = ["terminal.svg", "report.svg", "phenotype.svg"]


@pytest.fixture(scope="module")
def made():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs"))
        patch.chdir(ROOT)
        module = importlib.import_module("figures")
        return module.figures(), examine(module.SAMPLE).result


def texts(svg):
    """What a reader sees, with ordinary blanks."""
    elements = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(element.itertext()).replace("\N{NO-BREAK SPACE}", " ") for element in elements]


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_in_docs_are_those_that_the_script_makes(made, name):
    again = "made anew by `python docs/figures.py`"
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == made[0][name], again


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_fetches_and_runs_nothing_and_is_small(made, name):
    svg = made[0][name]
    assert svg.count("http") == svg.count('xmlns="http://www.w3.org/2000/svg"') == 1
    assert "<script" not in svg
    assert len(svg.encode()) < 75_000


def test_the_report_has_every_kappa_with_its_interval(made):
    figures, result = made
    shown = texts(figures["report.svg"])
    for vector in result.schemes[0].vectors:
        place = next(index for index, text in enumerate(shown) if text.lstrip("▸ ").startswith(vector.label))
        expected = [notation.kappa(vector.matched), notation.interval(vector.matched_low, vector.matched_high)]
        assert shown[place + 1 : place + 3] == expected


def test_the_phenotype_has_every_metric_with_its_value_and_its_interval(made):
    shown = texts(made[0]["phenotype.svg"])
    assert "Phenotype of seven simulated agents" in shown
    values = [text for text in shown if re.fullmatch(r"[−.\d]+ \[[−.\d]+, [−.\d]+\]", text)]
    assert len(values) == 16
    assert "value and 95 % CI" in shown


def test_the_terminal_shows_the_command_and_the_verdict(made):
    figures, result = made
    shown = "".join(texts(figures["terminal.svg"]))
    assert f"$ hansproof audit {result.source}" in shown
    assert result.verdict in shown
