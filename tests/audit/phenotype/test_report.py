"""What a person sees: marks in their places, gaps with their reasons, nothing that a name could do."""

import io
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest
from rich.console import Console

from audit.phenotype import figure, page, show
from audit.phenotype.report.layout import LEFT, RIGHT, Axis, axis
from audit.phenotype.report.words import decimals, number, standard_ends
from audit.report.terminal.ink import Ink
from generators.errors import UsageError


def with_standard(phenotype, name, standard, low=None, high=None):
    metrics = [
        msgspec.structs.replace(metric, value=1.0, standard=standard, standard_low=low, standard_high=high)
        if metric.name == name
        else metric
        for metric in phenotype.metrics
    ]
    return msgspec.structs.replace(phenotype, metrics=metrics)


def test_the_axis_has_random_and_human_and_its_own_limits(mixed):
    assert axis([with_standard(mixed, "risk-taking", 0.5)]).low <= -0.25
    far = axis([with_standard(mixed, "risk-taking", 40.0, -50.0, 90.0)])
    assert (far.low, far.high) == (-3.0, 4.0)
    scale = Axis(-1.0, 1.0)
    assert [scale.at(value) for value in (-9, -1, 0, 1, 9)] == [LEFT, LEFT, (LEFT + RIGHT) / 2, RIGHT, RIGHT]


def test_the_figure_is_xml_with_sixteen_rows_and_their_gaps(mixed):
    tree = ElementTree.fromstring(figure([mixed]))
    texts = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Performance", "Behaviour", "random", "human", "Risk taking", "Prior weighting"} <= set(texts)
    gaps = [text for text in texts if text.startswith("undefined: ")]
    assert sum("the task was not played" in text for text in gaps) == 8
    assert sum("separation" in text for text in gaps) == 2
    assert len(gaps) == 10


def test_a_mark_stands_at_its_value_and_an_arrow_beyond_the_axis(mixed):
    drawn = figure([with_standard(mixed, "risk-taking", 1.0, 0.5, 1.5)])
    human = re.search(r'<line class="human" x1="([\d.]+)"', drawn)[1]
    assert re.search(rf'<g class="p0"><line class="reach"[^>]*/>.*<circle class="mark" cx="{human}"', drawn)
    beyond = figure([with_standard(mixed, "risk-taking", 40.0, 30.0, 50.0)])
    assert f'<path class="mark" d="M{RIGHT}.0 ' in beyond
    assert ">40.00<" in beyond


def test_a_value_without_an_interval_is_hollow(mixed):
    assert '<g class="p0 hollow">' in figure([with_standard(mixed, "risk-taking", 1.0)])


def test_a_value_that_one_of_several_lacks_is_a_cross_and_one_that_all_lack_is_said_once(mixed):
    drawn = figure([mixed, with_standard(mixed, "risk-taking", 1.0)])
    row = drawn[drawn.index(">Risk taking<") :]
    assert row.index('<g class="p0"><path class="missing"') < row.index('<g class="p1 hollow">')
    assert drawn.count("undefined: the task was not played") == 7  # of the other metrics of tasks that nobody played
    assert "a cross at the left: undefined" in drawn
    assert "a cross" not in figure([mixed, mixed])


def test_every_participant_has_a_shape_of_its_own(mixed):
    marks = set(re.findall(r"<(circle|rect|path) class=\"mark\"[^>]*? (?:d|width|cx)=", figure([mixed] * 6)))
    assert marks == {"circle", "rect", "path"}
    with pytest.raises(UsageError, match="one to 6 phenotypes, not 7"):
        figure([mixed] * 7)
    with pytest.raises(UsageError, match="one to 6 phenotypes, not 0"):
        page([])


def test_a_name_can_do_nothing_in_figure_or_page(mixed):
    for text in (figure([mixed]), page([mixed]), page([mixed, mixed])):
        assert "<b>mixed" not in text
        assert "\u202e" not in text
        assert "&lt;b&gt;mixed&lt;/b&gt;" in text


def test_the_page_needs_nothing_else_and_closes_what_it_opens(mixed):
    text = page([mixed, mixed])
    assert not re.search(r"<script|<link|<img|src=|style=\"|http-equiv=\"refresh", text)
    assert text == page([mixed, mixed])

    opened = []
    void = {"meta", "br", "link", "input", "rect", "line", "circle", "path"}

    class Checker(HTMLParser):
        def handle_starttag(self, tag, attrs):
            opened.extend([tag] if tag not in void else [])

        def handle_endtag(self, tag):
            assert tag in void or opened.pop() == tag

    Checker().feed(text)
    assert opened == []
    assert "What was played" in text
    assert "separation: a combination of the predictors" in text


def test_digits_follow_the_distance_of_people_from_random_choices(mixed):
    # people .01744, random .00100: hundredths of the difference are in the fourth decimal
    assert decimals(mixed.metric("random-exploration")) == 4
    assert decimals(mixed.metric("horizon-reward")) == 2
    assert number(mixed.metric("horizon-reward"), 51.61284) == "51.61"
    assert number(mixed.metric("random-exploration"), None) == "undefined"
    assert standard_ends(mixed.metric("random-exploration")) == ""


def printed(phenotype, width):
    stream = io.StringIO()
    show(phenotype, Ink(Console(file=stream, width=width, highlight=False, markup=False, emoji=False)))
    return stream.getvalue()


def test_the_table_has_every_metric_and_says_why_some_are_missing(mixed):
    text = printed(mixed, 160)
    assert re.search(r"Prior weighting +\.[6789]\d\d +\[\.\d{3}, \d?\.\d{3}\] +\.876 +\.000", text)
    assert re.search(r"Directed exploration +undefined", text)
    assert "Directed exploration, Random exploration: separation" in text
    assert "Metacognition (interval): an interval needs at least 5 runs" in text
    assert "not played: instrumental-learning, two-step, temporal-discounting, balloons" in text
    assert "\u202e" not in text


def test_numbers_stay_whole_on_a_narrow_terminal(mixed):
    assert all(len(line) <= 60 for line in printed(mixed, 60).splitlines())
    assert "Prior weighting" in printed(mixed, 60)
