"""Marked pieces of a prompt: nothing lost, nothing marked twice, whatever overlaps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hansproof.audit.report.excerpts import LIMIT, pieces
from hansproof.audit.result.audit_result import Occurrence


def span(start, end, weight=0.5, label="yes"):
    return Occurrence(start=start, end=end, label=label, weight=weight)


def test_text_without_n_grams_is_one_plain_piece():
    assert [piece.text for piece in pieces("abc", [])] == ["abc"]
    assert pieces("", []) == []


def test_nested_n_grams_give_three_pieces_and_the_weightier_one_decides():
    outer, inner = span(2, 10, 0.2, "no"), span(5, 8, 0.6)
    cut = pieces("abcdefghijkl", [outer, inner])
    assert [(piece.text, piece.label, len(piece.covers)) for piece in cut] == [
        ("ab", None, 0), ("cde", "no", 1), ("fgh", "yes", 2), ("ij", "no", 1), ("kl", None, 0),
    ]  # fmt: skip
    assert [piece.shade for piece in cut] == [0, 2, 4, 2, 0]


def test_overlapping_n_grams_are_cut_where_they_overlap():
    cut = pieces("abcdef", [span(0, 4), span(2, 6, 0.4, "no")])
    assert [(piece.text, piece.label) for piece in cut] == [("ab", "yes"), ("cd", "yes"), ("ef", "no")]


def test_places_beyond_the_prompt_are_clipped_and_empty_ones_ignored():
    cut = pieces("abc", [span(-5, 1), span(2, 99), span(2, 2), span(9, 12)])
    assert [(piece.text, piece.label) for piece in cut] == [("a", "yes"), ("b", None), ("c", "yes")]


def test_the_space_before_a_gpt2_token_is_not_marked():
    assert [(piece.text, piece.label) for piece in pieces("a through b", [span(1, 9)])] == [
        ("a ", None), ("through", "yes"), (" b", None),
    ]  # fmt: skip


def test_white_space_is_drawn_where_it_is_the_evidence():
    prompt = "more than\n\n\nless  so"
    shown = [piece.shown for piece in pieces(prompt, [span(0, 9), span(10, 12), span(12, 18)])]
    assert shown == ["more than", "\n", "⏎\n⏎\n", "less␣␣", "so"]
    both = pieces("more than", [span(0, 9), span(0, 4), span(5, 9)])
    assert [piece.shown for piece in both] == ["more", " ", "than"]
    assert [piece.shown for piece in pieces("a b", [span(1, 2)])] == ["a", "␣", "b"]


def test_a_long_prompt_keeps_its_ends_and_its_weightiest_n_grams():
    prompt = "x" * 50_000
    cut = pieces(prompt, [span(20_000, 20_004, 0.9), *(span(i, i + 3, 0.1) for i in range(30_000, 45_000, 500))])
    shown = [piece for piece in cut if not piece.left_out]
    assert sum(len(piece.text) for piece in shown) <= LIMIT
    assert [piece.text for piece in shown if piece.shade == 4] == ["xxxx"]
    assert sum(len(piece.text) + piece.left_out for piece in cut) == 50_000


def test_an_n_gram_as_long_as_the_prompt_does_not_fill_the_page():
    assert sum(len(piece.text) for piece in pieces("x" * 10**6, [span(0, 10**6)])) <= LIMIT


PLACES = st.integers(-3, 3000)
SPANS = st.lists(st.tuples(PLACES, PLACES, st.floats(0, 1)), max_size=12)


@given(st.integers(0, 3000), SPANS)
def test_pieces_join_up_to_the_prompt_and_mark_exactly_what_is_covered(length, spans):
    cues = [span(*each) for each in spans]
    prompt = "".join(chr(97 + i % 26) for i in range(length))
    position = 0
    for piece in pieces(prompt, cues):
        if piece.left_out:
            position += piece.left_out
            continue
        assert prompt[position : position + len(piece.text)] == piece.text
        for place in (position, position + len(piece.text) - 1):
            assert (piece.label is not None) == any(cue.start <= place < cue.end for cue in cues)
        position += len(piece.text)
    assert position == length
