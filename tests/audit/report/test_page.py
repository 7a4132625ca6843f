"""The HTML page: complete, self-contained, and deaf to what benchmarks say."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from html.parser import HTMLParser
from importlib.resources import files

import msgspec
import pytest

from audit.report import words
from audit.report.page import render, render_scan
from audit.result import Occurrence

KNOWN_ATTRIBUTES = {
    "aria-hidden", "aria-label", "aria-labelledby", "charset", "class", "colspan", "content", "cx", "cy",
    "dir", "focusable", "height", "href", "http-equiv", "id", "lang", "name", "open", "r", "role", "rx",
    "scope", "tabindex", "title", "width", "x", "x1", "x2", "y", "y1", "y2",
}  # fmt: skip
VOID = {"meta", "br", "img", "input", "link", "hr"}


class Reader(HTMLParser):
    """Collects what a browser would act on, and checks that every tag is closed by its own."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.ids, self.links, self.open, self.cells = [], [], [], [], [], []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        named = dict(attrs)
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"]] if "href" in named else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def pages(results, scan):
    return [*(render(one) for one in results.values()), render_scan(scan)]


def rows(text):
    """The cells of every table row, as text."""
    found = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    strip = re.compile(r"<[^>]+>")
    return [
        [html.unescape(strip.sub("", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in found
    ]


def test_every_page_is_well_formed_and_uses_only_known_attributes(results, scan):
    for text in pages(results, scan):
        read = Reader(text)
        assert {name for name, _ in read.attributes} <= KNOWN_ATTRIBUTES
        assert len(read.ids) == len(set(read.ids))
        assert {link for link in read.links if not link.startswith("#")} == set()
        assert {link[1:] for link in read.links} <= set(read.ids)


def test_nothing_is_fetched_and_nothing_runs(results, scan):
    for text in pages(results, scan):
        assert not {"script", "img", "link", "iframe", "object", "form"} & set(Reader(text).tags)
        assert not re.search(r"url\(|@import|https?://|javascript:", text)


def test_the_policy_allows_the_pages_own_style_and_nothing_else(make_result):
    text = render(make_result())
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src &#39;none&#39;; style-src &#39;sha256-{digest}&#39;".replace("&#39;", "'")
    assert policy in html.unescape(text)
    assert " style=" not in text


def test_hostile_text_in_every_field_stays_text(results, scan, poison):
    for text in pages({name: poison(one) for name, one in results.items()}, poison(scan)):
        read = Reader(text)
        assert not {"script", "img"} & set(read.tags)
        assert {name for name, _ in read.attributes} <= KNOWN_ATTRIBUTES
        assert not [name for name, _ in read.attributes if name.startswith("on")]
        assert "<script>alert(1)</script>" in read.text
        assert "{{7*7}}" in read.text
        assert not set(text) & {"\x00", "\x1b", "\x07", "\u202e", "\r", "\ud800"}
        text.encode("utf-8")


def test_a_prompt_of_a_megabyte_is_cut_down_to_the_surroundings_of_its_cues(make_result):
    prompt = "padding " * 65_000 + "GIVEAWAY" + " padding" * 65_000
    start = prompt.index("GIVEAWAY")
    cue = Occurrence(start=start, end=start + 8, label="neutral", weight=0.9)
    item = msgspec.structs.replace(make_result().giveaways[0], prompt=prompt, cues=[cue])
    text = render(make_result(giveaways=[item]))
    assert len(text) < 80_000
    assert re.search(r"<mark[^>]*>GIVEAWAY</mark>", text)
    assert re.search(r"\[… 5\d\d,\d\d\d characters left out …\]", text)


@pytest.mark.parametrize("name", ["leaks", "template", "imbalanced", "clean", "inconclusive", "paper"])
def test_every_number_of_every_vector_is_on_the_page(results, name):
    result = results[name]
    table = rows(render(result))
    for scheme in result.schemes:
        for one in scheme.vectors:
            expected = [
                one.vector, words.kappa(one.cohen), words.interval(one.cohen_low, one.cohen_high),
                words.kappa(one.uniform), words.per_cent(one.accuracy), words.per_cent(one.balanced_accuracy),
                words.p_value(one.p), words.p_value(one.p_holm), words.per_cent(one.validation_accuracy),
                words.count(one.features), ", ".join(one.regularisation),
            ]  # fmt: skip
            assert expected in table


def test_the_heat_map_has_both_schemes_side_by_side(make_result):
    result = make_result()
    grouped, random = result.schemes
    table = rows(render(result))
    for one, other in zip(grouped.vectors, random.vectors, strict=True):
        row = next(row for row in table if row[0].removesuffix(" (chosen)") == one.label)
        assert row[1:4] == [words.kappa(one.cohen), words.kappa(other.cohen), words.kappa(one.uniform)]


def test_verdict_reason_settings_and_sources_are_all_there(results):
    for result in results.values():
        text = Reader(render(result)).text
        for part in (
            result.verdict,
            result.reason,
            result.sha256,
            result.source,
            words.command(result),
            *result.notes,
        ):
            assert part in text
        assert words.VERDICTS[result.verdict].meaning in text


def test_cues_stand_with_their_numbers(make_result):
    result = make_result()
    table = rows(render(result))
    for cue in result.cues:
        row = next(row for row in table if row[0].replace("·", " ") == cue.ngram)
        assert row[2:] == [
            words.signed(cue.coefficient), f"{cue.count_label} / {cue.count}",
            words.per_cent(cue.productivity), words.per_cent(cue.coverage), words.kappa(cue.z), words.kappa(cue.pmi),
        ]  # fmt: skip


def test_what_is_empty_leaves_no_heading(results):
    text = render(results["unassessed"])
    for heading in (
        "What each probe",
        "N-grams that go",
        "give themselves away",
        "What to vary",
        "belong together",
    ):
        assert heading not in text


def test_an_undefined_kappa_is_said_and_not_drawn(make_result):
    scheme = make_result().schemes[0]
    vectors = [msgspec.structs.replace(one, cohen=None, cohen_low=None, cohen_high=None) for one in scheme.vectors]
    text = render(make_result(schemes=[msgspec.structs.replace(scheme, vectors=vectors)], gap=None))
    assert text.count('<span class="hidden">undefined</span>') == len(vectors)
    assert 'class="range" x1="5%"' in text  # the legend alone
    assert text.count('class="range"') == 1


def test_marks_nest_and_the_prompt_can_be_read_through_them(make_result):
    item = make_result().giveaways[1]
    text = render(make_result(giveaways=[item]))
    prompt = re.search(r'<p class="prompt[^>]*>(.*?)</p>', text, re.DOTALL)[1]
    assert html.unescape(re.sub(r"<[^>]+>", "", prompt)) == item.prompt
    assert re.search(r'<mark class="t1 w\d several" title="contradiction \.48; contradiction \.21">not</mark>', prompt)


def test_a_scan_starts_with_benchmarks_by_vectors_and_has_a_section_for_each(scan):
    text = render_scan(scan)
    table = rows(text)
    for number, result in enumerate(scan.results, start=1):
        assert f'<article id="b{number}-top"' in text
        if not result.schemes:
            continue
        first = result.schemes[0]
        values = [words.kappa(one.uniform if first.scheme == "paper" else one.cohen) for one in first.vectors]
        assert [row for row in table if row[0].startswith(result.name) and row[1:] == values]
    assert text.index('class="map"') < text.index("<article")
    assert "broken.jsonl" in text


def test_a_scan_without_a_single_result_is_still_a_page(scan):
    text = render_scan(msgspec.structs.replace(scan, results=[]))
    assert "0 benchmarks audited, 1 file could not be audited" in Reader(text).text


def test_the_same_result_gives_the_same_bytes(make_result, scan):
    assert render(make_result()) == render(make_result())
    assert render_scan(scan) == render_scan(scan)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def schemes():
    style = (files("audit.report") / "templates" / "style.css").read_text(encoding="utf-8")
    light, _, rest = style.partition("@media screen and (prefers-color-scheme: dark) {")
    return [light, rest.partition("\n}\n")[0]]


@pytest.mark.parametrize("index", [0, 1])
def test_text_has_enough_contrast_in_both_colour_schemes(index):
    style = schemes()[index]
    cells = re.findall(r"\.(h[0-9nx]) \{ background: (#\w+); color: (#\w+); \}", style)
    assert len(cells) == 12
    assert all(contrast(back, front) >= 4.5 for _, back, front in cells)
    names = dict(re.findall(r"--(page|sheet|ink|soft|link|tint): (#\w+);", style.partition(".v-leaks")[0]))
    assert all(
        contrast(names[front], names[back]) >= 4.5
        for front in ("ink", "soft", "link")
        for back in ("page", "sheet", "tint")
    )
    verdicts = re.findall(r"\.v-\w+ \{ --accent: (#\w+); --tint: (#\w+); \}", style)
    assert len(verdicts) == 6
    assert all(contrast(accent, tint) >= 4.5 and contrast(accent, names["sheet"]) >= 4.5 for accent, tint in verdicts)


def test_the_shades_of_the_heat_map_are_told_apart_without_hue():
    for style, down in zip(schemes(), (True, False), strict=True):
        shades = [luminance(back) for _, back in re.findall(r"\.h([0-9]) \{ background: (#\w+);", style)]
        assert shades == sorted(shades, reverse=down)
