"""Strangers' text on a screen: what would act is shown as a sign."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.audit.notation import last_part, one_line, visible, within


def test_escape_sequences_and_control_characters_become_pictures():
    assert visible("a\x1b[31mb\x00\x7f") == "a␛[31mb␀␡"
    assert visible("\x9b31m") == "⟨U+009B⟩31m"  # the one-byte form of the same escape


def test_bidirectional_overrides_and_lone_surrogates_are_named():
    assert visible("a\u202eb\ud800\u200f") == "a⟨U+202E⟩b⟨U+D800⟩⟨U+200F⟩"


def test_text_in_other_scripts_newlines_and_joined_emoji_stay_as_they_are():
    text = "שלום\nмир\t世界 👩\u200d💻"
    assert visible(text) == text


def test_a_windows_line_end_is_a_line_end():
    assert visible("a\r\nb\rc") == "a\nb␍c"


def test_one_line_folds_white_space_and_cuts_with_an_ellipsis():
    assert one_line(" a\n\tb  c ") == "a b c"
    assert one_line("abcdefghij", 6) == "abcde…"
    assert one_line("abcdef", 6) == "abcdef"


def test_an_identifier_is_cut_from_the_left_at_a_slash_if_there_is_one():
    assert last_part("/data/benchmarks/bench.jsonl line 812", 24) == "…/bench.jsonl line 812"
    assert last_part("a-very-long-identifier-000812", 10) == "…er-000812"
    assert last_part("line 812", 8) == "line 812"
    assert last_part(" a\nb ", 8) == "a b"


def test_an_output_of_ascii_gets_stand_ins_and_escapes():
    assert within("“κ” ≥ .2 …", "ascii") == '"\\u03ba" >= .2 ...'
    assert within("déjà …", "cp1252") == "déjà …"


@given(st.text(st.characters(), max_size=80), st.integers(1, 30), st.sampled_from(["ascii", "cp1252", "utf-8"]))
def test_nothing_that_acts_on_a_terminal_is_left(text, width, encoding):
    line = within(one_line(text, width), encoding)
    line.encode(encoding)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in line)
    assert len(one_line(text, width)) <= width


@pytest.mark.parametrize("text", ["", " \n ", "\u200b"])
def test_empty_text_does_no_harm(text):
    assert one_line(text) in {"", "⟨U+200B⟩"}
