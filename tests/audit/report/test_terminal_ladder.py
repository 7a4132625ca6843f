"""The ladder in the terminal: its sentence high up, its rungs in a table."""

from __future__ import annotations

import io

import msgspec
from rich.console import Console

from hansproof.audit.report.audit_screen import show


def printed(result, width=100):
    stream = io.StringIO()
    show(result, Console(file=stream, width=width))
    return stream.getvalue()


def test_the_sentence_stands_between_the_reason_and_the_source(make_result):
    lines = printed(make_result()).splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith("simplest"))
    assert lines[place].endswith(
        "One word is enough: “not” → “contradiction” (261 of 312 items with it), kappa .31 of .33."
    )
    assert place < next(index for index, line in enumerate(lines) if line.startswith("source"))


def test_every_rung_has_its_kappa_and_interval_and_the_simplest_is_marked(make_result):
    result = make_result()
    lines = printed(result, width=120).splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("rung"))
    rows = [line.split() for line in lines[start + 2 : start + 2 + len(result.ladder.rungs)]]
    assert rows[0][:3] == ["constant", ".00", "what"]
    assert rows[2][:5] == ["★", "ngram", ".31*", "[.25,", ".37]"]
    assert [row[0] for row in rows].count("★") == 1


def test_without_a_ladder_nothing_is_said_of_it(make_result):
    text = printed(msgspec.structs.replace(make_result(), ladder=None))
    assert "simplest" not in text
    assert "rung" not in text


def test_parts_stand_below_the_ladder_with_kappa_interval_and_p(make_result):
    text = " ".join(printed(make_result(), width=160).split())
    assert "premise only .01 [-.06, .08] 1.000 1,600 hypothesis only .30* [.23, .37] .004 1,600" in text
    assert "whole prompt .33* 1,600" in text


def test_without_partial_inputs_there_is_no_line_for_them(make_result):
    empty = msgspec.structs.replace(make_result().partial, inputs=[], left_out=[])
    for none in (empty, None):
        assert "parts of the prompt" not in printed(make_result(partial=none))
