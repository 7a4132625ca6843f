import pytest

from hansproof.audit.notation import drawn, is_odd


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" ", "␣"),
        ("more than", "more than"),
        (" more than", "␣more than"),
        ("Yes ", "Yes␣"),
        ("a  b", "a␣␣b"),
        ("\n\n\n\n", "⏎⏎⏎⏎"),
        ("a\tb c", "a⇥b c"),
        ("a \nb", "a␣⏎b"),
        ("\u200b\u00a0\r", "U+200BU+00A0U+000D"),
        ("Zürich, 東京", "Zürich, 東京"),
        ("\ud800", "U+D800"),
        ("", ""),
    ],
)
def test_only_odd_white_space_is_drawn(text, shown):
    assert drawn(text) == shown
    assert is_odd(text) == (text != shown)
