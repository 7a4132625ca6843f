"""The page of a study: well-formed, self-contained, safe whatever models are called, and true to the record."""

import html
import re
from dataclasses import replace

import msgspec
from read_pages import Reader, tables

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import NO_VERDICT, RobustDifference
from hansproof.audit.models.study import PageContents
from hansproof.audit.report.study_page import render as drawn
from hansproof.terminal.reliance import reliance_tables


def render(study):
    return study.page()


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
    table = shown["Right answers, with intervals: toy"]
    rows = {row[0]: row for row in table[1:4]}  # after the heading of all items
    assert table[0] == ["all items"]
    for each in part.series:
        whole = each.accuracies[0]
        low, high = (notation.points(end) for end in (whole.low, whole.high))
        assert rows[each.title][1:7] == [
            notation.points(whole.share), f"[{low}, {high}]", notation.points(whole.se), "50.0", f"{whole.right:,}",
            f"{whole.items:,}",
        ]  # fmt: skip
    cells = {row[0]: row[1:] for row in shown["Right answers in per cent: toy"]}
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
    table = shown["Original less perturbed items: token-bias"]
    heads = [row[0] for row in table if len(row) == 1]
    contrasts = [(each.subset, each.first, each.second) for each in effects["a"]]
    assert heads == [f"{subset}: {before} − {after}" for subset, before, after in contrasts]
    for title, own in effects.items():
        rows = [row for row in table if row[0] == title]
        assert [row[1] for row in rows] == [notation.points(effect.difference.difference, "+") for effect in own]
        assert [row[4] for row in rows] == [notation.p_value(effect.p_holm) for effect in own]
        assert [row[5] for row in rows] == [notation.p_value(effect.difference.t_p) for effect in own]


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


def test_the_page_and_the_screen_say_no_word_on_a_model_and_why(study):
    assert study.models[0].beyond_holm < 0.001
    text = html.unescape(render(study))
    assert NO_VERDICT in text
    words = re.compile(r"\blean|\brel(y|ies|iance)\b|follows? the|NOT SHOWN|LEANS", re.IGNORECASE)
    assert not words.findall(text)
    assert 'class="v-' not in text
    for table in reliance_tables(study):
        cells = [cell.plain for row in table.rows for cell in row]
        assert not words.findall(" ".join([table.title, *(column.title for column in table.columns), *cells]))


def test_differences_on_both_parts_are_those_of_the_record(study):
    shown = tables(render(study))
    rows = [row for row in shown["Differences in points: probe right less probe wrong"] if len(row) > 1]
    for row, pair in zip(rows, study.pairs, strict=True):
        values = (pair.raw, pair.equal_gold, pair.beyond, pair.equal_others, pair.equal_gold_others)
        expected = ["" if each.estimate is None else notation.points(each.estimate, "+") for each in values]
        assert [row[place].split("|")[0] for place in (4, 5, 7, 9, 10)] == expected
        assert (row[6], row[8]) == (str(pair.shared_items), notation.p_value(pair.beyond.p))
        assert row[3].split("|") == [notation.points(pair.on_right), notation.points(pair.on_wrong)]
    for row, model in zip(shown["Models over all benchmarks with a shortcut, in points"], study.models, strict=True):
        shown_p = ["" if p is None else notation.p_value(p) for p in (model.beyond_holm, model.errors_holm)]
        assert [row[5], row[9]] == shown_p
        assert row[1] == f"{model.measured} of {model.benchmarks}"


def test_families_have_the_t_test_the_regression_and_what_is_left_of_how_many_pairs(study):
    shown = tables(render(study))
    table = shown[
        "Families: probe right less probe wrong, in points; log odds of the mixed-effects logistic regression"
    ]
    titles = [test.family or "all models (p not corrected)" for test in study.families]
    assert [row[0] for row in table] == titles
    assert [row[2] for row in table] == [notation.points(test.mean, "+") for test in study.families]
    fits = {fit.family: fit for fit in study.regressions if not fit.benchmark}
    for row, test in zip(table, study.families, strict=True):
        of_family = fits[test.family]
        for place, fit in ((7, of_family.plain), (9, of_family.with_difficulty)):
            p = fit.p_bh if test.family else fit.log_odds.p
            assert row[place : place + 2] == [notation.signed(fit.log_odds.estimate), notation.p_value(p)]
        assert row[6] == notation.p_value(test.joint_bh if test.family else test.joint.p)
    left = shown["Families: mean difference in plain accuracy among like items, in points"]
    assert [row[0] for row in left] == titles
    assert [row[4] for row in left] == [f"{test.beyond_pairs} of {test.pairs}" for test in study.families]
    rows = shown["Mixed-effects logistic regression of right answers on whether the probe is right, in logits"]
    assert [row[0] for row in rows] == [
        fit.family or fit.benchmark or "all (p not corrected)" for fit in study.regressions
    ]


def test_what_is_in_no_test_has_no_p(study):
    assert any(pair.shortcut and pair.beyond.p is not None for pair in study.pairs)
    assert any(pair.errors.excess.p is not None for pair in study.pairs if pair.errors)
    pairs = [msgspec.structs.replace(pair, shortcut=pair.benchmark != "simulated-0") for pair in study.pairs]
    for some, places in ((pairs, (8,)), ([msgspec.structs.replace(pair, shortcut=False) for pair in pairs], ())):
        less = msgspec.structs.replace(study, pairs=some)
        shown = tables(render(less))
        rows = [row for row in shown["Differences in points: probe right less probe wrong"] if len(row) > 1]
        assert len(rows[0]) == 10 + len(places)
        errors = shown["Agreement in error, in per cent of the items on which both are wrong"]
        ps = [notation.p_value(pair.beyond.p) if pair.shortcut else "" for pair in some]
        if places:
            assert [row[8] for row in rows] == ps
            assert "" in ps
        assert [row[-1] for row in errors] == [
            notation.p_value(pair.errors.excess.p) if pair.shortcut else ""
            for pair in some
            if pair.errors is not None and pair.errors.agree is not None
        ]
        screen = {table.title.split(",")[0]: table for table in reliance_tables(less)}
        own = [row for row in screen["Pairs"].rows if row[1].plain]
        assert [row[-1].plain for row in own] == ps
        assert [row[-1].plain for row in screen["Agreement in error"].rows] == [row[-1] for row in errors]


def test_a_note_names_why_nothing_is_known_beyond_difficulty(study):
    unknown = RobustDifference(estimate=None, reason="nobody else was asked")
    pairs = [msgspec.structs.replace(pair, beyond=unknown) for pair in study.pairs]
    text = html.unescape(render(msgspec.structs.replace(study, pairs=pairs)))
    assert "because nobody else was asked: model-0 on simulated-0; model-1 on simulated-0; " in text
    assert "; and 4 more" in text


def test_the_page_says_which_models_do_not_stand_for_difficulty(study):
    assert study.left_out == ["model-0"]
    text = html.unescape(render(study))
    assert "or all other models, difficulty is measured without model-0, whose corrected p is at most .05" in text


def test_a_section_without_anything_to_show_is_left_out(study, alone):
    less = {"benchmarks": [], "models": [], "pairs": [], "answered": [alone], "played": None, "notes": []}
    ids = set(Reader(render(msgspec.structs.replace(study, **less))).ids)
    every = {"probe", "differences", "effects", "hypotheses", "phenotype"}
    assert not every & ids
    assert {"read", "accuracy", "method"} <= ids
    assert every <= set(Reader(render(study)).ids)
