"""Marked runs of a prompt: nothing lost, nothing marked twice, whatever overlaps."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hansproof.audit.report.excerpts import LIMIT, marked
from hansproof.audit.result.audit_result import Occurrence


def span(start, end, weight=0.5, label="yes"):
    return Occurrence(start=start, end=end, label=label, weight=weight)


def runs(prompt, cues):
    return marked(prompt, cues, ("yes", "no"))


def texts(made):
    return [(run.text, run.css[:2]) for run in made]


def left_out(run):
    return int(re.sub(r"\D", "", run.text)) if run.css == "cut" else 0


def test_text_without_n_grams_is_one_plain_run():
    assert texts(runs("abc", [])) == [("abc", "")]
    assert runs("", []) == []


def test_nested_n_grams_give_three_runs_and_the_weightier_one_decides():
    outer, inner = span(2, 10, 0.2, "no"), span(5, 8, 0.6)
    made = runs("abcdefghijkl", [outer, inner])
    assert [(run.text, run.css) for run in made] == [
        ("ab", ""), ("cde", "t1 w2"), ("fgh", "t0 w4 several"), ("ij", "t1 w2"), ("kl", ""),
    ]  # fmt: skip
    assert made[2].title == "yes .60; no .20"


def test_overlapping_n_grams_are_cut_where_they_overlap():
    assert texts(runs("abcdef", [span(0, 4), span(2, 6, 0.4, "no")])) == [("ab", "t0"), ("cd", "t0"), ("ef", "t1")]


def test_places_beyond_the_prompt_are_clipped_and_empty_ones_ignored():
    made = runs("abc", [span(-5, 1), span(2, 99), span(2, 2), span(9, 12)])
    assert texts(made) == [("a", "t0"), ("b", ""), ("c", "t0")]


def test_the_space_before_a_gpt2_token_is_not_marked():
    assert texts(runs("a through b", [span(1, 9)])) == [("a ", ""), ("through", "t0"), (" b", "")]


def test_white_space_is_drawn_where_it_is_the_evidence():
    prompt = "more than\n\n\nless  so"
    shown = [run.text for run in runs(prompt, [span(0, 9), span(10, 12), span(12, 18)])]
    assert shown == ["more than", "\n", "⏎\n⏎\n", "less␣␣", "so"]
    assert [run.text for run in runs("more than", [span(0, 9), span(0, 4), span(5, 9)])] == ["more", " ", "than"]
    assert [run.text for run in runs("a b", [span(1, 2)])] == ["a", "␣", "b"]


def test_a_long_prompt_keeps_its_ends_and_its_weightiest_n_grams():
    prompt = "x" * 50_000
    cut = runs(prompt, [span(20_000, 20_004, 0.9), *(span(i, i + 3, 0.1) for i in range(30_000, 45_000, 500))])
    shown = [run for run in cut if run.css != "cut"]
    assert sum(len(run.text) for run in shown) <= LIMIT
    assert [run.text for run in shown if "w4" in run.css] == ["xxxx"]
    assert sum(len(run.text) for run in shown) + sum(map(left_out, cut)) == 50_000


def test_an_n_gram_as_long_as_the_prompt_does_not_fill_the_page():
    shown = [run for run in runs("x" * 10**6, [span(0, 10**6)]) if run.css != "cut"]
    assert sum(len(run.text) for run in shown) <= LIMIT


PLACES = st.integers(-3, 3000)
SPANS = st.lists(st.tuples(PLACES, PLACES, st.floats(0, 1)), max_size=12)


@given(st.integers(0, 3000), SPANS)
def test_runs_join_up_to_the_prompt_and_mark_exactly_what_is_covered(length, spans):
    cues = [span(*each) for each in spans]
    prompt = "".join(chr(97 + i % 26) for i in range(length))
    position = 0
    for run in runs(prompt, cues):
        if run.css == "cut":
            position += left_out(run)
            continue
        assert prompt[position : position + len(run.text)] == run.text
        for place in (position, position + len(run.text) - 1):
            assert bool(run.css) == any(cue.start <= place < cue.end for cue in cues)
        position += len(run.text)
    assert position == length
