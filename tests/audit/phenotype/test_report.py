"""What a person sees: marks in their places, gaps with their reasons, nothing that a name could do."""

import io
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest
from rich.console import Console

from hansproof.audit.phenotype.result import WIDE
from hansproof.audit.report.phenotype_figure import LEFT, RIGHT, Axis, axis, figure
from hansproof.audit.report.phenotype_screen import phenotype_page as page
from hansproof.audit.report.phenotype_screen import show
from hansproof.audit.report.phenotype_words import UNITS, decimals, number, standard_ends
from hansproof.audit.report.terminal import Ink
from hansproof.generators.errors import UsageError


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
    assert texts.count("not played") == 8
    assert [text for text in texts if text.startswith("undefined")] == ["undefined"] * 2


def test_a_mark_stands_at_its_value_and_an_arrow_beyond_the_axis(mixed):
    drawn = figure([with_standard(mixed, "risk-taking", 1.0, 0.5, 1.5)])
    human = re.search(r'<line class="human" x1="([\d.]+)"', drawn)[1]
    assert re.search(rf'<g class="p0"><line class="reach"[^>]*/>.*<circle class="mark" cx="{human}"', drawn)
    beyond = figure([with_standard(mixed, "risk-taking", 40.0, 30.0, 50.0)])
    assert f'<path class="mark" d="M{RIGHT}.0 ' in beyond
    assert ">40.00<" in beyond


def test_a_value_without_an_interval_is_hollow(mixed):
    assert '<g class="p0 hollow">' in figure([with_standard(mixed, "risk-taking", 1.0)])


def test_a_value_that_one_of_several_lacks_says_so_in_its_place_and_one_that_all_lack_says_it_once(mixed):
    drawn = figure([mixed, with_standard(mixed, "risk-taking", 1.0)])
    row = drawn[drawn.index(">Risk taking<") :]
    assert row.index('class="small">not played<') < row.index('<g class="p1 hollow">')
    assert drawn.count(">not played<") == 8  # once of the first only, seven times of both


def test_the_figure_says_what_its_marks_are_and_in_which_units(mixed):
    drawn = figure([with_standard(mixed, "risk-taking", -1.0, -2.0, -0.5)])
    texts = [element.text for element in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    below = " ".join(texts)
    assert "95 % bootstrap intervals over runs (n = 3–30 per task); arrow: continues beyond the axis; hollow" in below
    assert "Standardised score: 0 = random choices, 1 = average human participant" in texts
    assert "Behaviour is a matter of style: 1 is human-like, more is not better." in texts
    assert {"pumps per balloon", "points per trial", "share of rewards", "score, 0 to 19", "−1"} <= set(texts)
    assert not any(re.search(r"-\d", text) for text in texts)
    assert all(UNITS[metric.name] for metric in mixed.profile)


def test_a_dagger_has_its_note_and_belongs_to_its_model(mixed):
    metrics = [
        msgspec.structs.replace(metric, caution=WIDE) if metric.name == "risk-taking" else metric
        for metric in with_standard(mixed, "risk-taking", 0.5, -1.0, 2.0).metrics
    ]
    wide = msgspec.structs.replace(mixed, metrics=metrics, name="wide")
    assert "† Risk taking: the interval holds both 0 and 1." in figure([wide])
    both = figure([mixed, wide])
    assert "† Risk taking (wide): the interval holds both 0 and 1." in both
    assert ">Risk taking †<" not in both
    row = both[both.index(">Risk taking<") :]
    assert re.search(r'<g class="p1">[^\n]*>†<', row)


def test_a_file_has_literal_colours_and_legend_entries_stand_together(mixed):
    drawn = figure([mixed, msgspec.structs.replace(mixed, name="b"), msgspec.structs.replace(mixed, name="c")])
    assert not re.search(r"var\(|@media", drawn)
    assert "prefers-color-scheme: dark" in page([mixed])
    entries = [float(re.search(rf'x="([\d.]+)" y="31" text-anchor="start">{name}<', drawn)[1]) for name in "bc"]
    assert entries[1] - entries[0] == pytest.approx(51.2)  # 44 and one letter of 7.2


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
    assert "measured (a run is one finished episode)" in text
    assert "separation: the choices are perfectly predictable from the predictors" in text


def test_digits_follow_the_distance_of_people_from_random_choices(mixed):
    # people .01744, random .00100: hundredths of the difference are in the fourth decimal
    assert decimals(mixed.metric("random-exploration")) == 4
    assert decimals(mixed.metric("horizon-reward")) == 2
    assert number(mixed.metric("horizon-reward"), 51.61284) == "51.61"
    # a variant has as many as its metric, whatever its value
    assert decimals(mixed.metric("horizon-reward-free")) == 2
    assert decimals(mixed.metric("random-exploration-penalised")) == 4
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
    assert re.search(r"Risk taking +not played", text)
    assert re.search(r"standardised +95 % CI", text)
    assert "Directed exploration, Random exploration: separation" in text
    assert "Metacognition (interval): an interval needs at least 5 runs" in text
    assert "not played: instrumental-learning, two-step, temporal-discounting, balloons" in text
    assert "human: averages published with CogBench (Coda-Forno et al. 2024)" in " ".join(text.split())
    assert "CogBench's human value, .8277, was computed with a coding error" in text
    assert "measured (a run is one finished episode): probabilistic-reasoning 30 runs" in text
    assert "\u202e" not in text


def test_numbers_stay_whole_on_a_narrow_terminal(mixed):
    assert all(len(line) <= 60 for line in printed(mixed, 60).splitlines())
    assert "Prior weighting" in printed(mixed, 60)
