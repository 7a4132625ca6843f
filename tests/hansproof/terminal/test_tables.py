"""Tables on a narrow terminal, on a wide one and in a file: numbers are never cut."""

import pytest
from rich.console import Console

from hansproof.terminal import tables


def on_terminal(monkeypatch, width):
    """Every console a terminal of that width; what was printed is in the last one's record."""
    made = []

    def console():
        made.append(Console(width=width, force_terminal=True, color_system=None, highlight=False, record=True))
        return made[-1]

    monkeypatch.setattr(tables, "_console", console)
    return made


def table(names):
    found = tables.plain_table("name", ("right", "pairs right"))
    for name in names:
        found.add_row(tables.fitted(name), "36.8 [35.7, 38.0]", "31.6 [29.9, 33.3] of 3,000")
    return found


@pytest.mark.parametrize("width", [80, 200])
def test_numbers_stay_whole_and_lines_fit(monkeypatch, width, capsys):
    made = on_terminal(monkeypatch, width)
    tables.show(table(["subset counterbalanced-multiplicative", "subset [carry]"]))
    capsys.readouterr()
    text = made[-1].export_text()
    assert text.count("36.8 [35.7, 38.0]") == text.count("31.6 [29.9, 33.3] of 3,000") == 2
    assert max(map(len, text.splitlines())) <= width
    assert "subset [carry]" in text
    # Only where there is little room are names broken, after blanks and hyphens.
    assert ("subset counterbalanced-multiplicative" in text) == (width == 200) == (not tables.narrow())


def test_a_file_gets_whole_lines_and_a_terminal_folded_ones(monkeypatch, capsys):
    long = " ".join(["word"] * 40)
    assert tables.folded(long) == long
    assert not tables.narrow()
    on_terminal(monkeypatch, 60)
    lines = tables.folded(long).splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 60
    assert " ".join(line.strip() for line in lines) == long
