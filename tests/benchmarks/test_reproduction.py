"""The page of the paper's nineteen benchmarks: what it states, and what it makes of a file."""

import importlib
import json

import pytest

from hansproof.audit.reading.recipes import all_recipes


@pytest.fixture
def reproduction(scripts):
    return importlib.import_module("reproduction")


def test_nine_of_nineteen_exceed_the_threshold_in_the_paper(reproduction):
    assert len(reproduction.PUBLISHED) == 19
    assert sum(published.above for published in reproduction.PUBLISHED.values()) == 9


def test_every_benchmark_is_read_by_its_recipe(reproduction, tmp_path, capsys):
    assert set(reproduction.PUBLISHED) == {recipe.name for recipe in all_recipes() if recipe.of_paper}
    path = tmp_path / "other.jsonl"
    path.write_text('{"text": "a", "label": 1}\n{"text": "b", "label": 0}\n', encoding="utf-8")
    assert reproduction.main([f"anli={path}", "--out", str(tmp_path / "page.md")]) == 2
    assert "the recipe 'anli' does not fit" in capsys.readouterr().err


def test_every_benchmark_has_a_row_and_those_without_a_file_say_so(reproduction):
    measured = reproduction.Reproduced("some", 1600, 0.434, -0.056, None, (0.4, 0.6), "LEAKS", "it leaks")
    lines = reproduction.page({"space-nli": measured}, 2).splitlines()
    rows = [line for line in lines if line.startswith("| ")][2:]
    assert len(rows) == 19
    assert sum(row.endswith("| not given |") for row in rows) == 18
    [row] = [row for row in rows if "SpaceNLI" in row]
    assert row == "| SpaceNLI | > .2 | .56 | .66 | .47 ± .04 | 1,600 | .43 | -.06 | - | .50 ± .14 | LEAKS |"
    assert "- **SpaceNLI** (`some`): LEAKS. It leaks." in lines


@pytest.mark.parametrize(("kappa", "agreeing"), [(0.21, 1), (0.2, 0), (None, 0)])
def test_agreement_is_about_the_side_of_the_threshold(reproduction, kappa, agreeing):
    measured = reproduction.Reproduced("some", 1600, kappa, None, None, (), "LEAKS", "it leaks")
    assert f"\nFor {agreeing} of these" in reproduction.page({"space-nli": measured}, 20)


def test_a_file_is_audited_under_both_protocols(reproduction, tmp_path):
    path = tmp_path / "cued.jsonl"
    rows = [{"input": f"{'red' if i % 2 else 'blue'} lamp {i}", "target": "yn"[i % 2]} for i in range(80)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out = tmp_path / "page.md"
    assert reproduction.main(["metaphor-boolean=" + str(path), "--splits", "2", "--out", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert str(tmp_path) not in page
    assert "| Metaphor Boolean | <= .2 |  |  |  | 80 | 1.00 | 1.00 | 1.00 | 1.00 ± .00 |" in page


def test_an_unknown_name_is_refused_with_the_known_ones(reproduction, capsys, tmp_path):
    assert reproduction.main(["space-nil=x.jsonl", "--out", str(tmp_path / "page.md")]) == 2
    assert "space-nli" in capsys.readouterr().err
    assert reproduction.main(["x.jsonl"]) == 2
    assert "is not NAME=FILE" in capsys.readouterr().err
