"""The rates of numbers of innocent models: a row for each published world, whose shares are shares."""

import importlib
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "benchmarks" / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def script(scripts, monkeypatch):
    monkeypatch.syspath_prepend(str(scripts / "reliance"))
    return importlib.import_module("rates")


@pytest.mark.parametrize(("more", "worlds"), [([], "WORLDS"), (["--families"], "FAMILY_WORLDS")])
def test_a_published_table_has_the_head_and_the_worlds_of_the_script(script, capsys, more, worlds):
    assert script.main([*more, "--studies", "2", "--world", "as difficult"]) == 0
    head, _, row = capsys.readouterr().out.splitlines()
    assert head in PAGE
    assert row.count("|") == head.count("|")
    assert len(re.findall(r"\d %", row)) >= 5
    published = PAGE.split(head)[1].split("\n\n")[0].splitlines()[2:]
    assert [line.split("|")[1].strip() for line in published] == list(getattr(script, worlds))
