"""One term for one number: screen and page have the same headings, and the docs have the keys of JSON and CSV."""

import json
import re
from pathlib import Path

import pytest
from read_pages import headings

import hansproof
from hansproof.audit.report import terms
from hansproof.audit.report.document import ReportTable, Scale, drawn, headed
from hansproof.audit.report.terms import PAGE, SCREEN
from hansproof.terminal.differences import difference_table, effect_tables, runs_table
from hansproof.terminal.reliance import reliance_tables
from hansproof.terminal.scores import hypothesis_tables, score_table

ROOT = Path(__file__).resolve().parents[4]
TERMS = [title.replace("\n", " ") for name, title in vars(terms).items() if name.isupper() and isinstance(title, str)]
KEYS = {
    "right": "accuracy share",
    "right of replied": "accuracy_replied replied share_replied",
    "right of clear": "accuracy_clear",
    "groups right": "pair_accuracy matched",
    "flips": "flip_rate",
    "best blind": "blind",
    "points": "difference shift",
    "Holm p": "p_holm",
    "only one right": "first_better second_better original_only perturbed_only a_only b_only",
    "one does better": "first_better second_better",
    "points where both replies are clear": "clear_difference clear_effect",
    "t-test p": "t_p",
    "detectable": "shift_found",
    "BH p": "p_bh_all p_bh",
    "probe right": "on_right",
    "probe wrong": "on_wrong",
    "at equal gold answer": "equal_gold",
    "agreement in error": "errors",
    "mean difference": "mean",
}
"""What JSON and CSV call a number, where that is another word."""


def on_screen(table):
    """The headings of a table in a terminal, but for the first, which heads names; those of intervals without these."""
    titles = [column.title.replace("\n", " ") for column in table.columns[1:]]
    return [headed(title.removesuffix(" [95 % interval]")) for title in titles if title]


def on_page(page, caption):
    every = headings(page)[caption]
    return [part for name in every for part in map(headed, name.split("; "))]


def lacking(table, page, caption):
    """Headings of the screen that the page has not."""
    return [title for title in on_screen(table) if title not in on_page(page, caption)]


@pytest.fixture
def scores(tmp_path):
    """Two models, one of them in two runs; pairs of two conditions in three topics, clear, unclear and missing."""
    rows, replies = ["id,question,label,pair,arm,topic"], []
    for number in range(60):
        for arm in ("original", "longer"):
            id_, gold = f"{number}-{arm}", ("yes", "no")[number % 2]
            rows.append(f"{id_},Is thing {number} {arm}?,{gold},p{number},{arm},{'xyz'[number % 3]}")
            wrong = "no" if gold == "yes" else "yes"
            given = [("ada", "1", gold if number % 3 else "perhaps"), ("ada", "2", gold if number % 4 else wrong)]
            given.append(("bob", "", None if number == 7 else gold if arm == "original" else wrong))
            replies += [{"id": id_, "model": model, "run": run, "reply": said} for model, run, said in given]
    (tmp_path / "arms.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(each) + "\n" for each in replies), encoding="utf-8")
    columns = {"group": "pair", "condition": "arm", "subset": "topic"}
    reports = hansproof.score(tmp_path / "said.jsonl", tmp_path / "arms.csv", item_columns=columns)
    reports.compare()
    return reports


def test_scores_differences_runs_and_effects_have_the_headings_of_the_page(scores):
    page = scores.page()
    (report,) = [report for report in scores if report.model == "bob"]
    assert {"Unclear", "Missing", "Chance", "Right of replied"} <= {*on_screen(score_table(report))}
    assert lacking(score_table(report), page, "Scores of bob in per cent") == []
    assert lacking(difference_table(scores.differences), page, "Differences on common items") == []
    assert lacking(runs_table(scores.over_runs), page, "Mean over the runs of a model") == []
    (whole,) = effect_tables([effect for effect in report.effects if not effect.by])
    assert "Detectable" in on_screen(whole)
    assert lacking(whole, page, "Original less perturbed items") == []
    table = on_page(page, "Right answers, with intervals")
    assert {"Right", "se", "Right of replied", "Chance", "Items", "Missing"} <= {*table}


CAPTIONS = {
    "Right answers": "Right answers in per cent; differences in points: probe right less probe wrong",
    "Agreement in error": "Agreement in error over all benchmarks with a shortcut, in points",
    "Accuracies corrected": "Accuracies corrected by uniform chance, in per cent, after Pacchiardi et al. (2024)",
    "Families after": (
        "Families of models after Pacchiardi et al. (2024): probe right less probe wrong, in points; paired t-test, "
        "one-sided"
    ),
}
"""Table on the screen -> on the page."""


def test_reliance_and_hypotheses_have_the_headings_of_the_page(study, paper):
    for each, names in ((study, list(CAPTIONS)[:2]), (paper, list(CAPTIONS))):
        shown = reliance_tables(each)
        assert len(shown) == len(names)
        for table, name in zip(shown, names, strict=True):
            assert table.title.startswith(name)
            assert set(lacking(table, each.page(), CAPTIONS[name])) <= {"Model"}, name
    page = study.page()
    report = next(part.tested for part in study.answered if part.tested is not None)
    for table in hypothesis_tables(report):
        name = table.title.split(":")[0]
        captions = [named for named in headings(page) if named.startswith(f"{name}: ")]
        every = {heading for named in captions for heading in on_page(page, named)}
        assert len(captions) == 2
        assert {*on_screen(table)} - every <= {"Style"}


def test_chance_is_drawn_in_every_row_at_its_place_and_the_legend_says_so(scores):
    page = scores.page()
    for caption, rows in (("Right answers, with intervals", 12), ("Mean over the runs of a model", 4)):
        (table,) = [part for part in page.split("<table")[1:] if f"<caption><span>{caption}</span>" in part]
        drawing, after = table.split("</table>")[:2]
        # Two answers in every subset: a guess is right half of the time.
        assert drawing.count('<line class="chance" x1="50.00%" x2="50.00%"') == drawing.count('class="chance"') == rows
        assert "</svg>chance</li>" in after
    # Nothing is guessed in a difference.
    (table,) = [part for part in page.split("<table")[1:] if "<caption><span>Differences on common items" in part]
    assert 'class="chance"' not in table.split("<section")[0]


def test_what_has_no_chance_has_no_line():
    scale = Scale(0.0, 1.0)
    assert drawn(scale, 0.5, 0.4, 0.6, float("nan")).mark.chance == drawn(scale, 0.5, None, None).mark.chance == ""
    assert drawn(scale, 0.5, 0.4, 0.6, 0.25).mark.chance == drawn(scale, 0.5, None, None, 0.25).mark.chance == "25.00%"
    assert not ReportTable("Open answers", [], [[drawn(scale, 0.5, 0.4, 0.6)]]).shows_chance


def test_a_comparison_has_the_same_columns_on_both():
    assert {*PAGE} == {*SCREEN} - {"A - B", "verdict"}


def test_terms_are_all_different_and_headings_begin_with_a_capital_unless_they_are_symbols():
    assert len(set(TERMS)) == len(TERMS) > 30
    assert (headed("Holm p"), headed("t-test p"), headed("both right"), headed("n12")) == (
        "Holm p", "t-test p", "Both right", "n12"
    )  # fmt: skip


def test_the_docs_have_every_key_that_is_another_word():
    text = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")
    start = text.index("### Columns of the tables")
    section = " ".join(text[start : text.index("\n## ", start)].split())
    assert {*KEYS} < {*TERMS}
    for term, keys in KEYS.items():
        assert re.search(rf"\*{re.escape(term)}\*", section), term
        for key in keys.split():
            assert f"`{key}`" in section, key
