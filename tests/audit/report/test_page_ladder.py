"""The ladder on the page: a row with a figure for every rung."""

from __future__ import annotations

import msgspec

from hansproof.audit.report.audit_document import render
from hansproof.audit.report.audit_tables import ladder_table, partial_table
from hansproof.audit.report.findings import ArrangedResult


def test_the_sentence_is_in_the_banner_and_every_rung_has_a_row(make_result):
    result = make_result()
    page = render(result)
    banner = page[page.index('class="banner') : page.index("</div>", page.index('class="banner'))]
    assert result.ladder.sentence in banner
    section = page[page.index('id="ladder"') : page.index("</section>", page.index('id="ladder"'))]
    assert section.count('class="forest"') == len(result.ladder.rungs) == 8
    assert section.count('class="dot"') == 8
    assert section.count('class="range"') == 7  # a constant has no interval
    assert section.count("★") == 2  # the rung that is enough, and what the mark means
    assert "[.25, .37]</td><td>" in section
    assert "261 of the 312 items that contain it have the answer “contradiction”" in section


def test_the_axis_holds_every_interval(make_result):
    scale = ladder_table(ArrangedResult(make_result())).scale
    assert scale.low <= -0.05
    assert scale.high >= 0.39


def test_a_rung_without_a_number_is_said_and_not_drawn(make_result):
    ladder = make_result().ladder
    empty = msgspec.structs.replace(ladder.rungs[1], kappa=None, low=None, high=None)
    page = render(make_result(ladder=msgspec.structs.replace(ladder, rungs=[ladder.rungs[0], empty], enough=None)))
    section = page[page.index('id="ladder"') : page.index("</section>", page.index('id="ladder"'))]
    assert section.count('class="dot"') == 1
    assert "undefined" in section
    assert "★" not in section
    assert "The simplest shortcut that works" not in page
    assert "A kappa below 0 is no shortcut" not in section
    below = msgspec.structs.replace(empty, kappa=-0.16)
    page = render(make_result(ladder=msgspec.structs.replace(ladder, rungs=[ladder.rungs[0], below])))
    assert "The simplest shortcut that works" in page
    assert "A kappa below 0 is no shortcut" in page


def partial_section(page):
    return page[page.index('id="partial"') : page.index("</section>", page.index('id="partial"'))]


def test_every_partial_input_has_a_row_and_whole_prompts_the_last(make_result):
    section = partial_section(render(make_result()))
    assert section.count('class="forest"') == 3
    assert section.count('class="range"') == 2
    assert section.index("premise only") < section.index("hypothesis only") < section.index("whole prompt<span")
    assert "[.23, .37]</td><td>.004</td><td>1,600</td>" in section
    assert "Not tried: first sentence only (the same in nearly all items)." in section
    scale = partial_table(ArrangedResult(make_result())).scale
    assert (scale.low, scale.high) == (-0.1, 0.4)


def test_without_anything_to_look_at_only_the_reasons_are_given(make_result):
    partial = msgspec.structs.replace(make_result().partial, inputs=[])
    section = partial_section(render(make_result(partial=partial)))
    assert "<table" not in section
    assert "Not tried" in section
    nothing = msgspec.structs.replace(partial, left_out=[])
    assert 'id="partial"' not in render(make_result(partial=nothing))
