"""The rates of agreement in error: a row for each published world, and no published error of 5 % or more."""

import importlib
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "benchmarks" / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def script(scripts, monkeypatch):
    monkeypatch.syspath_prepend(str(scripts / "reliance"))
    return importlib.import_module("rates")


def test_the_published_table_has_the_head_and_the_worlds_of_the_script(script, capsys):
    assert script.main(["--studies", "2", "--world", "one follows, r = .3"]) == 0
    head, _, row = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\| one follows, r = .3 \| \d+\.0 % \| \d+ % \|", row)
    published = [line.split("|") for line in PAGE.split(head)[1].split("\n\n")[0].splitlines()[2:]]
    assert [line[1].strip() for line in published] == list(script.WORLDS)
    assert all(float(line[2].strip(" %")) < 5 for line in published)
