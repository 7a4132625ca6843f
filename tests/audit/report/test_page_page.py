"""The HTML page: complete, self-contained, and safe whatever benchmarks say."""

from __future__ import annotations

import base64
import hashlib
import html
import re

import msgspec
import pytest
from read_pages import Reader

from hansproof.audit import notation
from hansproof.audit.report import words
from hansproof.audit.report.audit_document import render, render_scan
from hansproof.audit.report.audit_sentences import command
from hansproof.audit.report.document import headed
from hansproof.audit.result.audit_result import Occurrence

KNOWN_ATTRIBUTES = re.compile(
    "aria-(hidden|label|labelledby)|charset|class|colspan|content|cx|cy|dir|dx|dy|focusable|height|href|http-equiv|id|"
    "lang|name|open|points|preserveaspectratio|rx?|role|scope|tabindex|text-anchor|title|viewbox|width|[xy][12]?"
)


def pages(results, scan):
    return [*(render(result) for result in results.values()), render_scan(scan)]


def rows(text):
    """The cells of every table row, as text."""
    matches = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    strip = re.compile(r"<[^>]+>")
    return [
        [html.unescape(strip.sub("", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in matches
    ]


def test_every_page_is_well_formed_and_uses_only_known_attributes(results, scan):
    for text in pages(results, scan):
        read = Reader(text)
        assert [name for name, _ in read.attributes if not KNOWN_ATTRIBUTES.fullmatch(name)] == []
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
    for text in pages({name: poison(result) for name, result in results.items()}, poison(scan)):
        read = Reader(text)
        assert not {"script", "img"} & set(read.tags)
        assert [name for name, _ in read.attributes if not KNOWN_ATTRIBUTES.fullmatch(name)] == []
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
    header, *expected = result.rows()
    table = rows(render(result))
    assert [headed(name.replace("_", " ")) for name in header] in table
    for row in expected:
        said = ["" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row]
        assert said in table


def bare(name):
    """The name of a vector without the marks of the verdict and of validation."""
    return name.lstrip("▸•+ ")


def test_the_heat_map_has_both_schemes_side_by_side(make_result):
    result = make_result()
    grouped, random = result.schemes
    table = rows(render(result))
    for vector, other in zip(grouped.vectors, random.vectors, strict=True):
        row = next(row for row in table if bare(row[0]) == vector.label)
        assert [cell.strip("* ") for cell in (row[1], row[4], row[6])] == [
            notation.kappa(vector.matched),
            notation.kappa(other.matched),
            notation.kappa(vector.uniform),
        ]


def test_the_vector_of_the_verdict_and_the_chosen_one_are_marked_apart(results):
    text = render(results["template"])
    marked = [row[0] for row in rows(text) if row[0].startswith(("▸", "•"))]
    assert marked == ["▸ word 1-2-grams, TF-IDF", "• GPT-2 1-2-grams, TF-IDF"]
    assert "▸ what the verdict is about (random folds); • chosen by validation" in Reader(text).text


def test_one_mark_serves_where_validation_chose_the_vector_of_the_verdict(results):
    result = msgspec.structs.replace(results["leaks"], vector=results["leaks"].schemes[0].headline)
    text = render(result)
    marked = [row[0] for row in rows(text) if row[0].startswith(("▸", "•"))]
    assert marked == ["▸ GPT-2 1-2-grams, TF-IDF"]
    assert "▸ what the verdict is about (grouped folds); also chosen by validation" in Reader(text).text


def test_without_groups_nothing_is_said_of_templates_and_no_second_column_stands_there(make_result):
    grouped = make_result().schemes[0]
    same = [grouped, msgspec.structs.replace(grouped, scheme="random")]
    text = render(make_result(schemes=same, gap=None, groups=None))
    assert 'class="ring"' not in text
    row = next(row for row in rows(text) if bare(row[0]) == grouped.vectors[0].label)
    assert row[1].strip("* ") == notation.kappa(grouped.vectors[0].matched)
    assert [cell.strip() for cell in row[4:]] == [
        notation.kappa(grouped.vectors[0].cohen), notation.kappa(grouped.vectors[0].uniform), "",
    ]  # fmt: skip


def test_what_was_never_read_has_no_line_to_itself(results):
    unread = results["unassessed"]
    nothing = msgspec.structs.replace(
        unread, sha256="", items=0, labels=[], left_out=[], left_out_count=0, source="",
        mapping=msgspec.structs.replace(unread.mapping, format="", prompt="", answer="", group=None, guessed=[]),
    )  # fmt: skip
    read = Reader(render(nothing)).text
    for heading in ("SHA-256", "Items", "Answers", "Read as", "Threshold", "Seed", "Groups", "Repeat"):
        assert heading not in read
    assert "Versions" in read
    assert '<p class="soft small"></p>' not in render(nothing)


def test_the_page_says_what_the_smallest_cues_are_and_are_not(results):
    assert words.FINDABLE in Reader(render(results["clean"])).text


def test_verdict_reason_settings_and_sources_are_all_there(results):
    for result in results.values():
        text = Reader(render(result)).text
        for part in (
            result.verdict,
            words.sentence(result.reason),
            result.sha256,
            result.source,
            command(result),
            *result.notes,
        ):
            assert part in text
        assert words.meaning(result) in text


def test_cues_stand_with_their_numbers(make_result):
    result = make_result()
    table = rows(render(result))
    for cue in result.cues:
        row = next(row for row in table if row[0].replace("·", " ") == cue.ngram)
        assert row[2:] == [
            notation.signed(cue.coefficient), f"{cue.count_label} / {cue.count}",
            notation.per_cent(cue.productivity), notation.per_cent(cue.coverage),
            notation.kappa(cue.z), notation.kappa(cue.pmi),
        ]  # fmt: skip


def test_what_is_empty_leaves_no_heading(results):
    text = render(results["unassessed"])
    for heading in ("What each probe", "N-grams that go", "give themselves away", "What to vary", "belong together"):
        assert heading not in text


def test_an_undefined_kappa_is_said_and_not_drawn(make_result):
    scheme, none = make_result().schemes[0], {"matched": None, "matched_low": None, "matched_high": None}
    vectors = [msgspec.structs.replace(vector, **none) for vector in scheme.vectors]
    schemes = [msgspec.structs.replace(scheme, vectors=vectors)]
    text = render(make_result(schemes=schemes, gap=None, ladder=None, partial=None))
    assert text.count('<td class="cell hx">undefined') == len(vectors)
    assert 'class="range"' not in text


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
        values = [
            notation.kappa(vector.uniform if first.scheme == "paper" else vector.matched) for vector in first.vectors
        ]
        assert [row for row in table if row[0].startswith(result.name) and row[-len(values) :] == values]
    assert text.index('class="map"') < text.index("<article")
    assert "broken.jsonl" in text


def test_a_benchmark_bound_to_templates_is_pale_under_grouped_folds_and_framed_under_random_ones(scan):
    grouped, random = re.findall(r'<table class="map">.*?</table>', render_scan(scan), re.DOTALL)[:2]

    def row(table):
        return next(row for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL) if "TEMPLATE-BOUND" in row)

    assert "reached" not in row(grouped)
    assert row(random).count("framed") == 1
    assert "reached framed" in row(random)


def test_a_scan_without_a_single_result_is_still_a_page(scan):
    text = render_scan(msgspec.structs.replace(scan, results=[]))
    assert "0 benchmarks audited, 1 file could not be audited" in Reader(text).text


def test_the_same_result_gives_the_same_bytes(make_result, scan):
    assert render(make_result()) == render(make_result())
    assert render_scan(scan) == render_scan(scan)
