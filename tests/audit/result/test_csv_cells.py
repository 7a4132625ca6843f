"""Cells of CSV: nothing acts on a spreadsheet or a terminal, and texts are read back as they were."""

import csv
import io

import pytest

from hansproof.audit.notation import armed, csv_text, visible


def read(text):
    return [[armed(cell) for cell in row] for row in csv.reader(io.StringIO(text, newline=""))]


@pytest.mark.parametrize(
    "cell",
    [
        "plain", "", " a ", "=1+1", "'=1", "''=1", "'quoted'", "-2", "@x", "\t=1", "a\r\nb", "a\rb", "\rb", "a\nb\tc",
        'a "b", c', "\uff1d1", "é 漢 \U0001f469\u200d\U0001f52c", "a\u00a0b", "\\x1b",
    ],
)  # fmt: skip
def test_a_text_is_read_back_as_it_was(cell):
    assert read(csv_text([[cell, "after"]])) == [[cell, "after"]]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("a\x1b[31mred", "a␛[31mred"),
        ("\u202eabc", "⟨U+202E⟩abc"),
        ("\ufeff=1", "⟨U+FEFF⟩=1"),
        ("a\x00\x7f\x9b", "a␀␡⟨U+009B⟩"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("half \ud83d", "half ⟨U+D83D⟩"),
    ],
)
def test_what_would_act_is_written_as_the_sign_that_the_screen_has_for_it(cell, written):
    text = csv_text([[cell, 1.5, None]])
    assert (read(text), visible(cell)) == ([[written, "1.5", ""]], written)
    assert text.encode("utf-8").decode("utf-8") == text
