"""One term for one number: screen and page have the same headings, and the docs have the keys of JSON and CSV."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from read_pages import headings
from rich.console import Console

import hansproof
from hansproof.audit.report import terms
from hansproof.audit.report.document import Fold, ReportTable, Scale, drawn, headed
from hansproof.audit.report.terminal import Ink
from hansproof.audit.report.terms import PAGE, SCREEN

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


def test_a_terminal_shows_the_tables_of_the_page_but_for_the_map_and_the_drawings(scores):
    document = scores.document()
    parts = [part for section in document.sections for part in section.parts]
    every = [part for each in parts for part in (each.parts if isinstance(each, Fold) else [each])]
    named = {part.title: part for part in every if isinstance(part, ReportTable)}
    page, printed = headings(scores.page()), StringIO()
    assert {*page} == {*named}
    Ink(Console(file=printed, width=300)).parts(every, (), spaced=True)
    lines = printed.getvalue().splitlines()
    alone = {"Right answers in per cent", "What became of the answers"}  # these are told at the end, as notes
    for caption, table in named.items():
        assert page[caption] == [name for name, _ in table.headings]
        if caption not in alone:
            below = lines[lines.index(caption) :]
            for column in table.columns[1:]:
                line = column.title.split("\n")[-1]
                assert (line in " ".join(below[1:4])) or column.holds == "drawings", (caption, column.title)
    (map_,) = (table for table in named.values() if table.css == "map shares")
    assert map_.title not in lines


def test_chance_is_drawn_in_every_row_at_its_place_and_the_legend_says_so(scores):
    page = scores.page()
    for caption, rows in (("Scores of bob on arms, in per cent", 6), ("Mean over the runs of a model", 4)):
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
