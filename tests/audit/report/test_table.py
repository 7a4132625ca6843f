"""The one table: numbers are never cut, phrases fold, whole columns go, a pipe gets everything."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hansproof.audit.report.document import Cell, Column, ReportTable
from hansproof.audit.report.terminal import Ink, Layout, console_on

NUMBERS = ("36.8 [35.7, 38.0]", "31.6 [29.9, 33.3]", "3,000")


def tabled(*columns: Column[str]) -> ReportTable:
    return ReportTable("", columns)


def table(*names: str) -> ReportTable:
    made = tabled(Column("name", holds="phrases"), Column("right"), Column("pairs right"), Column("pairs", goes=0))
    for name in names:
        made.row(name, *NUMBERS)
    return made


def drawn(what: ReportTable, width: int, encoding: str = "utf-8") -> tuple[list[str], list[str]]:
    """The lines printed and the titles that had to go."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    gone = Ink(Console(file=stream, width=width)).table(what)
    stream.flush()
    return [line.rstrip() for line in stream.buffer.getvalue().decode(encoding).splitlines()], gone


LONG = "subset counterbalanced-multiplicative"


def test_a_wide_terminal_shows_every_cell_on_one_line():
    lines, gone = drawn(table(LONG, "carry"), 120)
    assert lines[2] == f"{LONG}  {'  '.join(NUMBERS)}"
    assert lines[3].startswith("carry    ")
    assert gone == []


def test_a_narrow_terminal_folds_phrases_after_blanks_and_hyphens():
    # 16 + 17 + 17 + 5 cells and three gaps of two are 61: the name gets what is left of 64.
    lines, gone = drawn(table(LONG), 64)
    assert lines[2].startswith("subset             ")
    assert all(number in lines[2] for number in NUMBERS)
    assert lines[3:] == ["counterbalanced-", "multiplicative"]
    assert gone == []


def test_gaps_shrink_before_a_column_goes():
    assert max(map(len, drawn(table(LONG), 58)[0])) == 58  # 55 cells and three gaps of one
    assert drawn(table(LONG), 58)[1] == []
    assert drawn(table(LONG), 57)[1] == ["pairs"]


@pytest.mark.parametrize("width", range(20, 70))
def test_no_width_cuts_a_number(width):
    text = "\n".join(drawn(table(LONG, "carry"), width)[0])
    assert text.count(NUMBERS[0]) == text.count(NUMBERS[1]) == 2


def test_the_lowest_column_goes_first_and_one_without_a_number_stays():
    made = tabled(Column("a"), Column("b", goes=1), Column("c", goes=0))
    made.row("1" * 10, "2" * 10, "3" * 10)
    assert drawn(made, 25)[1] == ["c"]
    assert drawn(made, 12)[1] == ["b", "c"]
    assert drawn(made, 12)[0][2] == "1" * 10


@pytest.mark.parametrize(("encoding", "ellipsis"), [("utf-8", "…"), ("ascii", "...")])
def test_text_is_cut_with_an_ellipsis_that_the_output_knows(encoding, ellipsis):
    made = tabled(Column("n"), Column("text", holds="text"))
    made.row("1", "a prompt that says far too much")
    assert drawn(made, 18, encoding)[0][2] == f"1  {'a prompt that say'[: 15 - len(ellipsis)].rstrip()}{ellipsis}"


def test_identifiers_are_cut_from_the_left():
    made = tabled(Column("n"), Column("id", holds="identifiers"))
    made.row("1", "some/where/bench.jsonl line 812")
    assert drawn(made, 18)[0][2] == "1  …jsonl line 812"


def test_wide_characters_count_double():
    made = tabled(Column("name", holds="phrases"), Column("n"))
    made.row("謎" * 8 + " " + "題" * 8, "1")
    assert drawn(made, 19)[0][2:] == ["謎" * 8 + "  1", "題" * 8]


def test_an_output_in_ascii_gets_escapes_and_a_rule_of_hyphens():
    made = tabled(Column("name"))
    made.row("…é")
    assert drawn(made, 40, "ascii")[0] == ["   name", "-------", "...\\xe9"]


def test_markup_and_control_characters_are_shown_as_they_are():
    made = tabled(Column("[b]n"))
    made.row("[red]x\x1b")
    assert drawn(made, 40)[0] == ["   [b]n", "───────", "[red]x␛"]


def test_a_section_leaves_one_blank_line_but_none_at_the_top():
    made = tabled(Column("n"))
    made.rows.append([])
    made.row("1")
    made.rows.append([])
    made.row("2")
    assert drawn(made, 40)[0][2:] == ["1", "", "2"]


def test_a_table_without_titles_has_no_header():
    made = tabled(Column(""), Column("", holds="words"))
    made.row("1", "one")
    assert drawn(made, 40)[0] == ["1  one"]


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        tabled(Column("n")).row("1", "2")


def test_styles_survive_folding():
    made = tabled(Column("name", holds="phrases"), Column("n"))
    made.row(Cell("one two three four five", style="bold"), "1")
    cells = [cell.plain for cell in Layout(made).drawn(20, ascii_only=False).drawing.columns[0].cells]
    assert cells == ["one two three\nfour five"]
    stream = io.StringIO()
    Ink(Console(file=stream, width=20, force_terminal=True, color_system="standard")).table(made)
    assert "\x1b[1mfour five" in stream.getvalue()


def test_a_pipe_is_wide_unless_columns_says_otherwise(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert console_on(io.StringIO()).width == 160
    monkeypatch.setenv("COLUMNS", "90")
    assert console_on(io.StringIO()).width == 90


def test_a_note_is_whole_in_a_file_and_folded_on_a_terminal():
    long = " ".join(["word"] * 40)
    for terminal in (False, True):
        stream = io.StringIO()
        Ink(Console(file=stream, width=60, force_terminal=terminal, color_system=None)).note(long)
        lines = stream.getvalue().splitlines()
        assert (len(lines) == 1) == (not terminal)
        assert " ".join(line.strip() for line in lines) == long
        assert not terminal or max(map(len, lines)) <= 60
