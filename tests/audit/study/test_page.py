"""The page of a study: well-formed, self-contained, safe whatever models are called, and true to the record."""

import html
import re
from html.parser import HTMLParser

import msgspec
import numpy as np
import pytest

from audit import notation
from audit.answers.joining import join
from audit.answers.reply import Reply
from audit.reliance.records import Difference
from audit.reliance.study import study as reliance
from audit.study.answered import answered
from audit.study.page import render
from audit.study.records import Study
from benchmarks.reliance.simulated import World, simulated
from generators.item import Item
from generators.registry import dataset

VOID = {"meta", "br", "hr", "img", "input", "link"}
HOSTILE = "<script>alert('x')</script>\u202e\x1b[31m\" onload=\"x"


def item(index, subset):
    data = {"dataset": "toy", "version": "", "subset": subset, "seed": 1, "canary": "c"}
    return Item(f"{subset}/{index}", f"Is {subset} {index} so?", ("yes", "no"), "yes", f"g{index}", "base", data)


def answers(names):
    items = [item(index, subset) for subset in ("first", "second") for index in range(30)]
    replies = [
        Reply(place=f"r: line {place}", id=each.id, reply="yes" if index % (place + 2) else "no", model=name)
        for place, name in enumerate(names)
        for index, each in enumerate(items)
        if place == 0 or each.metadata["subset"] == "first"
    ]
    return answered(join([*replies, replies[0]], items))


def matched():
    family = dataset("token-bias")
    items = [family.item("balanced-syllogism", 3, index) for index in range(60)]
    given = [(model, index, each) for model in ("a", "b") for index, each in enumerate(items)]
    replies = [
        Reply(place=f"r: {index}", id=each.id, reply=each.answer if index % (3 + (model == "b")) else "no", model=model)
        for model, index, each in given
    ]
    return answered(join(replies, items))


@pytest.fixture(scope="module")
def study():
    world = World(benchmarks=2, models=4, families=2, labels=3, kappa=0.5, reliance=0.6, leaning=(0,))
    made = msgspec.structs.asdict(reliance(simulated(world, np.random.default_rng(3)), notes=["a note & more"]))
    return Study(**made, files=["logs/a.jsonl"], answered=[answers(["alpha", "beta", "gamma"]), matched()])


@pytest.fixture(scope="module")
def hostile(study):
    """A stranger's text in every field that comes from files."""

    def poisoned(value, key=""):
        if isinstance(value, dict):
            return {part: poisoned(inner, part) for part, inner in value.items()}
        if isinstance(value, list):
            return [poisoned(inner, key) for inner in value]
        known = ("verdict", "subset", "judged", "schema", "by")
        return HOSTILE if isinstance(value, str) and value and key not in known else value

    plain = msgspec.structs.asdict(study)
    names = {"models": study.models, "pairs": study.pairs, "families": study.families, "benchmarks": study.benchmarks}
    for name, records in names.items():
        kind = type(records[0])
        plain[name] = [msgspec.convert(poisoned(msgspec.to_builtins(each)), kind) for each in records]
    plain["notes"], plain["files"] = [HOSTILE], [HOSTILE]
    part = study.answered[0]
    series = [msgspec.structs.replace(each, model=HOSTILE, family=HOSTILE) for each in part.series]
    left = msgspec.structs.replace(part.doubled, first=[HOSTILE])
    plain["answered"] = [msgspec.structs.replace(part, name=HOSTILE, dataset=HOSTILE, series=series, doubled=left)]
    return Study(**plain)


class Reader(HTMLParser):
    """What a browser would act on; every tag is closed by its own."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.ids, self.links, self.open, self.headings = [], [], [], [], [], []
        self.heads = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"]] if "href" in named else []
        self.headings += [int(tag[1])] if re.fullmatch("h[1-6]", tag) else []
        self.heads += [named] if tag == "th" else []
        if tag == "svg":
            assert "aria-hidden" in named or named.get("aria-label") or "svg" in self.open
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def tables(text):
    """Caption -> its rows -> the texts of their cells, without what stands below in small."""
    every = {}
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        caption = html.unescape(re.sub("<[^>]+>", "", re.search("<caption>(.*?)</caption>", table, re.DOTALL)[1]))
        body = re.search("<tbody>(.*?)</tbody>", table, re.DOTALL)[1]
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in re.findall("<tr.*?</tr>", body)]
        every[caption] = [[html.unescape(re.sub("<[^>]+>", "|", cell)).rstrip("|") for cell in row] for row in cells]
    return every


def test_the_page_is_well_formed_and_can_be_walked_through(study):
    read = Reader(render(study))
    assert len(read.ids) == len(set(read.ids))
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert all(link.startswith("#") for link in read.links)
    assert read.links[0] == "#main"
    assert read.headings[0] == 1
    assert all(later <= earlier + 1 for earlier, later in zip(read.headings, read.headings[1:]))
    assert all(head.get("scope") in ("col", "row", "rowgroup") for head in read.heads)
    assert sum(name == "role" and value == "img" for name, value in read.attributes) == 2


def test_the_page_needs_nothing_else_and_runs_nothing(study, hostile):
    for text in (render(study), render(hostile)):
        assert not {"script", "img", "link", "iframe", "object", "form"} & set(Reader(text).tags)
        assert not re.search(r"url\(|@import|https?://", text)
        assert text.count("<style>") == 1
        assert " style=" not in text


def test_the_same_study_gives_the_same_page(study):
    assert study.page() == render(study) == render(msgspec.structs.replace(study))


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
        assert rows[each.title][1:6] == [
            f"{whole.items:,}", f"{whole.right:,}", notation.points(whole.share), f"[{low}, {high}]", "50.0"
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
    row = shown["Differences on common items: toy"][0]
    assert row[:5] == [
        "alpha − beta", "30", str(first.first_only), str(first.second_only), notation.points(first.difference, "+")
    ]  # fmt: skip
    assert row[6] == notation.p_value(first.p_holm)
    effects = [effect for each in study.answered[1].series for effect in each.effects if not effect.by]
    table = shown["Original less perturbed items: token-bias"]
    assert len(table) == len(effects) > 0
    assert [row[6] for row in table] == [notation.points(effect.paired.effect, "+") for effect in effects]
    assert [row[8] for row in table] == [notation.p_value(effect.p_holm) for effect in effects]
    assert [row[9] for row in table] == [notation.p_value(effect.mcnemar_p_holm) for effect in effects]


def test_verdicts_and_differences_of_reliance_are_those_of_the_record(study):
    shown = tables(render(study))
    words = next(rows for caption, rows in shown.items() if caption.startswith("The verdict on each model"))
    assert [row[1].split("| ")[-1] for row in words] == [model.verdict for model in study.models]
    assert [row[2] for row in words] == [model.reason for model in study.models]
    rows = [row for row in shown["Differences in points: probe right less probe wrong"] if len(row) > 1]
    for row, pair in zip(rows, study.pairs, strict=True):
        values = (pair.raw, pair.equal_gold, pair.equal_others, pair.equal_gold_others, pair.beyond)
        expected = ["" if each.estimate is None else notation.points(each.estimate, "+") for each in values]
        assert [cell.split("|")[0] for cell in row[5:10]] == expected
    for row, model in zip(shown["What the verdicts rest on, in points"], study.models, strict=True):
        assert row[-2] == ("" if model.beyond.detectable is None else notation.points(model.beyond.detectable))
    table = shown["Families: probe right less probe wrong, in points"]
    assert [row[0] for row in table] == [test.family or "all models" for test in study.families]
    assert [row[2] for row in table] == [notation.points(test.mean, "+") for test in study.families]


def test_a_note_names_why_nothing_is_known_beyond_difficulty(study):
    unknown = Difference(estimate=None, reason="nobody else was asked")
    pairs = [msgspec.structs.replace(pair, beyond=unknown) for pair in study.pairs]
    text = html.unescape(render(msgspec.structs.replace(study, pairs=pairs)))
    assert "because nobody else was asked: model-0 on simulated-0; model-1 on simulated-0; " in text
    assert "; and 4 more" in text


def test_a_section_without_anything_to_show_is_left_out(study):
    text = render(msgspec.structs.replace(study, benchmarks=[], models=[], pairs=[], answered=[answers(["only"])]))
    ids = Reader(text).ids
    assert not {"reliance", "verdicts", "differences", "effects"} & set(ids)
    assert {"read", "accuracy", "further", "method"} <= set(ids)
    assert {"reliance", "verdicts", "differences", "effects"} <= set(Reader(render(study)).ids)
