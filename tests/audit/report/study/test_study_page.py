"""The page of a study: well-formed, self-contained, safe whatever models are called, and true to the record."""

import html
import re
from dataclasses import replace

import msgspec
from read_pages import Reader, headings, tables

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import FOLLOWS, NO_VERDICT, ClusteredEstimate
from hansproof.audit.models.study import PageContents
from hansproof.audit.report.document import ReportTable
from hansproof.audit.report.html import page as page_of
from hansproof.audit.report.score_rows import pair_rows
from hansproof.audit.report.study_document import study_document
from hansproof.audit.report.study_reliance import measured


def render(study):
    return study.page()


def drawn(contents):
    return page_of(study_document(contents))


def tables_of(study):
    """The tables of the section of the probe."""
    (section,) = (section for section in study.document().sections if section.id == "probe")
    return [part for part in section.parts if isinstance(part, ReportTable)]


PAIRS = (
    "Right answers in per cent, also where the probe is right and where it is wrong; differences in points, with 95 % "
    "intervals"
)


def test_the_page_is_well_formed_and_can_be_walked_through(study):
    read = Reader(render(study))
    assert len(read.ids) == len(set(read.ids))
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert all(link.startswith("#") for link in read.links)
    assert read.links[0] == "#main"
    assert read.headings[0] == 1
    assert all(later <= earlier + 1 for earlier, later in zip(read.headings, read.headings[1:]))
    assert all(head.get("scope") in ("col", "row", "rowgroup") for head in read.heads)
    assert sum(name == "role" and value == "img" for name, value in read.attributes) == 3


def test_the_page_needs_nothing_else_and_runs_nothing(study, hostile):
    for text in (render(study), render(hostile)):
        assert not {"script", "img", "link", "iframe", "object", "form"} & set(Reader(text).tags)
        assert not re.search(r"url\(|@import|https?://", text.replace('xmlns="http://www.w3.org/2000/svg"', ""))
        assert text.count("<style>") == 1
        assert " style=" not in text


def test_the_same_study_gives_the_same_page(study):
    assert study.page() == render(msgspec.structs.replace(study))


def test_a_strangers_text_stays_text(hostile):
    text = render(hostile)
    read = Reader(text)
    assert not [name for name, _ in read.attributes if name.startswith("on")]
    assert "<script" not in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert text.count("&lt;script&gt;alert") > 40


def test_accuracies_are_those_of_the_record(study):
    shown = tables(render(study))
    part = study.answered[0]
    cells = {row[0]: row[1:] for row in shown["Right answers in per cent: toy"]}
    for each in part.series:
        whole = each.accuracies[0]
        low, high = (notation.points(end) for end in (whole.low, whole.high))
        assert cells[each.title][0] == f"{notation.points(whole.share)}|[{low}, {high}] of {whole.items}"
    assert cells["chance"] == ["50.0"] * 3
    assert cells["beta"][2] == "not asked"
    assert cells["alpha"][2].startswith(notation.points(part.series[0].accuracies[2].share))
    assert cells["alpha"][2].endswith("of 30")


def test_what_was_read_is_that_of_the_record(study):
    rows = tables(render(study))["What became of the answers: toy"]
    for row, each in zip(rows, study.answered[0].series, strict=True):
        counts = (each.asked, each.right, each.wrong, each.unclear, each.missing, sum(each.not_asked.values()))
        assert row == [each.title, *map(str, counts)]
    assert "1 of 121 replies are given again" in render(study)


def test_differences_and_effects_are_those_of_the_record(study):
    shown = tables(render(study))
    first = study.answered[0].differences[0]
    apart = first.difference
    row = shown["Differences on common items: toy"][0]
    assert row[:2] == ["alpha − beta", notation.points(apart.difference, "+")]
    assert row[3:5] == [notation.p_value(first.p_holm), "30"]
    assert row[5:8] == [
        notation.points(first.difference.se),
        f"{first.difference.a_only}/{first.difference.b_only}",
        "",
    ]
    effects = {each.title: [effect for effect in each.effects if not effect.by] for each in study.answered[1].series}
    table = shown["Original less perturbed items, in points: token-bias"]
    heads = [row[0] for row in table if len(row) == 1]
    contrasts = [(each.subset, each.first, each.second) for each in effects["a"]]
    assert heads == [f"{subset}: {before} − {after}" for subset, before, after in contrasts]
    for title, own in effects.items():
        rows = [row for row in table if row[0] == title]
        assert [row[1] for row in rows] == [notation.points(effect.difference.difference, "+") for effect in own]
        assert [row[3] for row in rows] == [notation.count(effect.difference.items) for effect in own]
        # There are too few groups for any test, and a column that would be empty is left out.
        assert not any(notation.p_value(effect.p_holm) for effect in own)
    assert "p" not in " ".join(headings(render(study))["Original less perturbed items, in points: token-bias"]).split()


def test_an_effect_with_an_end_at_0_has_its_word_on_the_page(study):
    part = study.answered[1]
    first = part.series[0]
    whole = next(effect for effect in first.effects if not effect.by)
    ended = replace(whole, difference=replace(whole.difference, low=0.0003, high=0.08, p=0.03), clear=None)
    usual = replace(ended, difference=replace(ended.difference, low=0.02))

    def page(*effects):
        own = msgspec.structs.replace(part, series=[msgspec.structs.replace(first, effects=list(effects))])
        return drawn(PageContents("effects", study.files, [own]))

    word = "the interval leaves 0 out: its end at 0.0 is rounded"
    where = f"{first.title}, {whole.subset}"
    assert "[0.0, +8.0]" in page(ended)
    assert f"{where}: {word}" in page(ended)
    assert f"{word}: {where}, length 3" in page(usual, replace(ended, by="length", name="3"))
    assert word not in page(usual, replace(usual, by="length", name="3"))


def test_a_page_of_effects_or_hypotheses_begins_with_what_was_asked_for(study):
    for kind in ("effects", "hypotheses"):
        text = drawn(PageContents(kind, study.files, study.answered))
        ids = Reader(text).ids
        assert ids.index(kind) < ids.index("read")
        assert not {"effects", "hypotheses", "differences", "probe", "phenotype"} - {kind} & set(ids)


def test_only_agreement_in_error_has_a_word_and_the_page_says_why(study):
    text = html.unescape(render(study))
    assert NO_VERDICT in text
    assert not re.search(r"\blean|\brel(y|ies|iance)\b|NOT SHOWN|LEANS", text, re.IGNORECASE)
    assert 'class="v-' not in text
    assert [model.follows for model in study.models] == [False, True, False, False]
    rows = tables(text)["Agreement in error over all benchmarks with a shortcut, in points"]
    assert [row[6] for row in rows] == ["", FOLLOWS, "", ""]
    for table in tables_of(study):
        rows = [[cell.text for cell in row] for row in table.rows]
        words = [row for row in rows if FOLLOWS in row]
        assert words == ([rows[1]] if table.title.startswith("Agreement in error over all") else [])


def test_sentences_say_what_was_measured(study, paper):
    text = html.unescape(render(study))
    for part in study.benchmarks:
        sentence = measured(study, part)
        assert sentence in text
        assert (
            f"{part.benchmark}: 4 models on {part.items} items. The probe (simulated, kappa .50) predicts the"
            in sentence
        )
        assert f"answers to {part.probe_right} of them, and not to {part.probe_wrong}: how often" in sentence
    open_ended = msgspec.structs.replace(study.benchmarks[0], uniform=None, low=-0.1, high=0.3)
    assert "(simulated, advantage .50 [-.10, .30] over the best constant answer)" in measured(study, open_ended)
    assert "300 items of the test part. The probe (simulated, kappa by uniform chance .50)" in measured(
        paper, paper.benchmarks[0]
    )


def test_accuracies_and_differences_on_both_parts_are_those_of_the_record(study):
    shown = tables(render(study))
    table = shown[PAIRS]
    rows = [row for row in table if len(row) > 1]
    for row, pair in zip(rows, study.pairs, strict=True):
        assert row[1:3] == [str(pair.items), notation.points(pair.accuracy)]  # all replies are clear
        for cell, part in zip(row[3:5], (pair.on_right, pair.on_wrong), strict=True):
            ends = f"[{notation.points(part.low)}, {notation.points(part.high)}]"
            assert cell.split("|") == [notation.points(part.share), ends]
        for cell, of in zip(row[5:7], (pair.raw, pair.equal_gold), strict=True):
            assert cell.split("|")[0] == notation.points(of.estimate, "+")
            assert notation.points(of.low) in cell
    for row, model in zip(
        shown["Agreement in error over all benchmarks with a shortcut, in points"], study.models, strict=True
    ):
        assert row[1:3] == [f"{model.measured} of {model.benchmarks}", notation.points(model.errors.estimate, "+")]
        assert row[4:6] == [notation.p_value(model.p), notation.p_value(model.p_holm)]
    errors = shown["Agreement in error, in per cent of the items on which both are wrong"]
    for row, pair in zip(errors, study.pairs, strict=True):
        own = pair.errors
        assert row[1:4] == [str(own.items), notation.points(own.agree), notation.points(own.expected)]


def test_the_papers_tables_stand_under_its_protocol_alone(study, paper):
    captions = [caption for caption in tables(render(paper)) if "Pacchiardi et al. (2024)" in caption]
    accuracies, families = (tables(render(paper))[caption] for caption in captions)
    for row, pair in zip(accuracies, paper.pairs, strict=True):
        own = pair.corrected
        shares = [notation.points(share) for share in (own.accuracy, own.on_right, own.on_wrong)]
        assert row[1:] == [*shares, notation.points(own.difference, "+")]
    for row, test in zip(families, paper.families, strict=True):
        assert row[:3] == [test.family, str(test.pairs), notation.points(test.mean, "+")]
        assert row[3:6] == [f"{test.t:.2f}", notation.p_value(test.p), notation.p_value(test.p_bh)]
    for text in (render(study), *(table.title for table in tables_of(study))):
        assert not re.search("corrected (accuracy|by)|Uniform-chance|Famil(y|ies) of models", text, re.IGNORECASE)
    titles = [table.title for table in tables_of(paper)]
    assert sum("Pacchiardi et al. (2024)" in title for title in titles) == 2
    head, *rows = pair_rows(paper)
    assert [row[head.index("corrected_difference")] for row in rows] == [p.corrected.difference for p in paper.pairs]
    assert not any("corrected" in name for name in pair_rows(study)[0])


def test_a_note_names_why_something_is_undefined(study):
    unknown = ClusteredEstimate(estimate=None, reason="nobody else was asked")
    pairs = [msgspec.structs.replace(pair, raw=unknown, equal_gold=unknown) for pair in study.pairs]
    text = html.unescape(render(msgspec.structs.replace(study, pairs=pairs)))
    assert text.count("no difference, because nobody else was asked") == 1
    assert "no difference at equal gold answer" not in text
    some = [*pairs[:5], *study.pairs[5:]]
    text = html.unescape(render(msgspec.structs.replace(study, pairs=some)))
    assert "because nobody else was asked: model-0 on simulated-0; model-1 on simulated-0; " in text
    assert "; and 1 more" in text


def test_a_section_without_anything_to_show_is_left_out(study, alone):
    less = {"benchmarks": [], "models": [], "pairs": [], "answered": [alone], "played": None, "notes": []}
    ids = set(Reader(render(msgspec.structs.replace(study, **less))).ids)
    every = {"probe", "differences", "effects", "hypotheses", "phenotype"}
    assert not every & ids
    assert {"read", "accuracy", "method"} <= ids
    assert every <= set(Reader(render(study)).ids)
