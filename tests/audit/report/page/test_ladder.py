"""The ladder on the page: a row with a figure for every rung."""

from __future__ import annotations

import msgspec

from audit.report.page.ladder import ladder_scale
from audit.report.page.page import render


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
    assert "[.25, .37]</td><td>+.29</td>" in section
    assert "261 of the 312 items that contain it have the answer “contradiction”" in section


def test_the_axis_holds_every_interval(make_result):
    scale = ladder_scale(make_result().ladder, 0.2)
    assert scale.low <= -0.05
    assert scale.high >= 0.39


def test_a_rung_without_a_number_is_said_and_not_drawn(make_result):
    ladder = make_result().ladder
    empty = msgspec.structs.replace(ladder.rungs[1], kappa=None, low=None, high=None, gain=None)
    page = render(make_result(ladder=msgspec.structs.replace(ladder, rungs=[ladder.rungs[0], empty], enough=None)))
    section = page[page.index('id="ladder"') : page.index("</section>", page.index('id="ladder"'))]
    assert section.count('class="dot"') == 1
    assert "undefined" in section
    assert "★" not in section
