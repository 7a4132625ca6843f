"""The card: written by the command, read back by the Hub's own reader, hostile text kept from acting."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from hansproof.generators.dataset import Hypothesis
from hansproof.generators.registry import MODULES, dataset, prose
from hansproof.release.card import card, details, write_card
from hansproof.release.card_figures import blind_table, heat_map
from hansproof.release.manifest import ArmEntry, BlindEntry, decode

ROOT = Path(__file__).resolve().parents[3]
FROZEN = [
    (name, dataset(name).version) for name in MODULES if (ROOT / "datasets" / name / dataset(name).version).is_dir()
]
PLANTED = dataset("planted-cues")
FOLDER = ROOT / "datasets" / "planted-cues" / PLANTED.version


@cache
def manifest():
    return decode((FOLDER / "manifest.json").read_bytes(), "manifest.json")


def text_of(of, family=PLANTED):
    return card(of, family, prose(PLANTED.name))


def details_of(of, family=PLANTED):
    return details(of, family, prose(PLANTED.name))


@pytest.mark.parametrize(("name", "version"), FROZEN)
def test_every_card_is_what_the_command_writes_from_the_frozen_folder_and_its_details_are_frozen(
    name, version, tmp_path
):
    stem = f"{name}-{version}"
    noted = ROOT / "cards" / f"{stem}.errata.md"
    if noted.exists():
        shutil.copy(noted, tmp_path)
    text, drawing = write_card(ROOT / "datasets" / name / version, dataset(name), tmp_path)
    assert (ROOT / "cards" / f"{stem}.md").read_text("utf-8") == text.read_text("utf-8")
    assert (ROOT / "cards" / f"{stem}.svg").read_text("utf-8") == drawing.read_text("utf-8")
    page = text.read_text("utf-8").split("---\n", 2)[2]
    assert len([word for word in page.split() if any(map(str.isalnum, word))]) <= 1_500  # bars of tables are no words
    folder = ROOT / "datasets" / name / version
    made = details(decode((folder / "manifest.json").read_bytes(), "m"), dataset(name), prose(name))
    assert (folder / "DETAILS.md").read_text("utf-8") == made


def test_only_shares_with_a_chance_level_below_1_are_compared_with_it():
    def tried(share, low, chance):
        given = {"strategy": "constant", "part": "answer", "items": 9, "answered": 9, "high": 1.0}
        p_holm = 0.001 if share == 0.8 or chance == 0 else None
        given |= {"interval": "Wilson", "in_sample": share, "p_holm": p_holm}
        return BlindEntry(**given, share=share, low=low, chance=chance)

    results = [tried(0.8, 0.6, 0.5), tried(0.5, 0.3, 0.5), tried(0.8, 0.6, None), tried(1.0, 0.9, 1.0)]
    results += [tried(None, None, 0.5), tried(0.1, 0.05, 0.0)]
    first, *_ = manifest().subsets
    made = msgspec.structs.replace(manifest(), subsets=[msgspec.structs.replace(first, blind=results)])
    table = blind_table(made, PLANTED)
    assert (table.compared, table.above) == (3, 2)


def test_the_hubs_reader_finds_every_subset_and_the_licence():
    from huggingface_hub import DatasetCard

    read = DatasetCard(text_of(manifest()))
    assert read.data.license == "cc-by-4.0"
    assert read.data.language == ["en"]
    assert read.data.size_categories == ["10K<n<100K"]
    assert read.data.pretty_name == "Planted cues"
    assert read.data.task_categories == ["text-classification"]
    assert [(config["config_name"], config["data_files"]) for config in read.data.to_dict()["configs"]] == [
        (name, [{"split": "test", "path": f"{name}.jsonl.gz"}]) for name in PLANTED.subsets
    ]


def section(text, title):
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_card_says_what_it_is_shows_an_item_and_how_to_load_and_score_it():
    text = text_of(manifest())
    item = PLANTED.item("none", 1, 0)
    places = [
        text.index(part)
        for part in (
            "\n# Planted cues 2.0.0\n",
            prose("planted-cues").description,
            f"```text\n{item.prompt}\n```\n\nChoices: no, yes. Gold answer: **{item.answer}**\n",
            'load_dataset("planted-cues-2.0.0", "none", split="test")',
            "hansproof score replies.jsonl --items datasets/planted-cues/2.0.0\n",
            "## Subsets, and what works without the ability",
            "| `unigram` | 600 |",
            "## Known limits",
            "## Uses",
            manifest().canary,
            "## Citation",
        )
    ]
    assert places == sorted(places)
    assert "\n\n\n" not in text + details_of(manifest())


def test_the_details_have_the_numbers_of_the_manifest_and_every_field():
    text = details_of(manifest())
    for entry in manifest().subsets:
        headline = entry.audit.schemes[0].vectors[entry.audit.schemes[0].headline]
        shown = f"{headline.matched:.2f} [{headline.matched_low:.2f}, {headline.matched_high:.2f}]"
        row = next(line for line in text.splitlines() if line.startswith(f"| `{entry.name}` | **"))
        # Kappas are written without a leading zero; a rounded zero has no sign.
        assert shown.replace("-0.00", "0.00").replace("0.", ".") in row
        assert f"`{entry.name}`: **{entry.audit.verdict}**: " + entry.audit.reason.replace("<", "&lt;") in text
    for field in prose("planted-cues").fields:
        assert f"| `metadata.{field}` |" in text


def test_a_date_is_shown_only_where_it_is_given():
    made = msgspec.structs.replace(manifest(), date=None)
    undated = text_of(made)
    assert "released" not in undated.split("\n## ")[0]
    assert "year =" not in undated
    dated = text_of(msgspec.structs.replace(made, date="2026-12-01"))
    assert "CC-BY-4.0; released 2026-12-01." in dated
    assert "\n  year = {2026},\n" in dated


def test_text_that_would_break_table_or_front_matter_does_not():
    from huggingface_hub import DatasetCard

    odd = 'a "b": | <script>\n---\nc'
    made = msgspec.structs.replace(manifest(), title=odd)
    subsets = {name: replace(subset, description=odd) for name, subset in PLANTED.subsets.items()}
    text = text_of(made, replace(PLANTED, subsets=subsets))
    read = DatasetCard(text)
    assert read.data.pretty_name == odd
    assert '| a "b": \\| &lt;script> --- c |' in text
    ElementTree.fromstring(heat_map(made))


def test_the_heat_map_shows_every_kappa_and_marks_what_validation_chose():
    text = heat_map(manifest())
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    shown = [text.text for text in root.iter(f"{name}text")]
    assert sum(element.get("text-anchor") == "middle" for element in root.iter(f"{name}text")) == 22 * 15
    assert sum(element.get("class") == "frame" for element in root.iter(f"{name}rect")) == 22
    assert {"unigram", "TEMPLATE-BOUND", "word 1-2-grams, TF-IDF"} <= set(shown)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_open_answers_have_no_heat_map_no_empty_table_and_one_sentence_for_all():
    made = manifest()
    open_ = [
        msgspec.structs.replace(entry, answers=None, audit=msgspec.structs.replace(
            entry.audit, verdict="NOT ASSESSED", reason=f"the answers are open ({number} of them).", schemes=[]))
        for number, entry in enumerate(made.subsets)
    ]  # fmt: skip
    made = msgspec.structs.replace(made, subsets=open_, audit_settings=None)
    assert "The audit applies to no subset" in heat_map(made)
    audit = section(details_of(made), "Audit: can the answers be predicted from the surface?")
    assert "**NOT ASSESSED**: the answers are open. This applies to every subset.\n" in audit
    assert "they say nothing for or against this release" in audit
    assert "|" not in audit
    assert "Audit |" not in text_of(made)
    some = msgspec.structs.replace(made, subsets=[manifest().subsets[0], *open_[1:3]])
    assert "the answers are open. Subsets: `unigram`, `bigram`.\n" in details_of(some)


def result(strategy, share, low, high, chance, part="answer", p_holm=None):
    return BlindEntry(
        strategy=strategy, part=part, items=9, answered=9, share=share, low=low, high=high, interval="Wilson",
        in_sample=share, chance=chance, p_holm=p_holm,
    )  # fmt: skip


def test_the_best_blind_strategy_of_each_subset_and_part_is_a_row_and_every_strategy_is_listed():
    first, second, *_ = manifest().subsets
    entries = [
        msgspec.structs.replace(first, exploit="", blind=[
            result("constant", 0.5, 0.4, 0.6, 0.5, p_holm=0.01),
            result("first-option", 0.7, 0.55, 0.8, 0.5, p_holm=0.0099),
            result("constant", 0.2, 0.1, 0.3, None, "cue"),
        ]),
        msgspec.structs.replace(second, exploit="planted | by <hand>", blind=[
            result("constant", 0.6, None, None, 1.0), result("first-option", 0.4, 0.3, 0.5, 0.5),
        ]),
    ]  # fmt: skip
    made = msgspec.structs.replace(manifest(), subsets=entries)
    # The card has the best strategy on the first part that has one.
    assert " `first-option` **.70** [.55, .80], chance .50 | " in text_of(made)
    text = section(details_of(made), "What works without the ability")
    assert "- `unigram`: planted \\| by &lt;hand>\n" in text
    assert (
        "| Subset | whole answer | `cue` |\n|---|---|---|\n"
        "| `none` | `first-option` **.70** [.55, .80], chance .50 | `constant` .20 [.10, .30] |\n"
        "| `unigram` | `first-option` .40 [.30, .50], chance .50 | – |\n"
    ) in text
    # Two of `none`, one of `unigram`: where one answer is all there is, nothing can be above chance.
    assert "Chance is defined for 3 shares, and 1 of them beats it in this sense." in text
    assert "| Strategy | What it does | whole answer | `cue` |\n|---|---|---|---|\n" in text
    # A chance of 1 is one answer alone; a strategy without any share, and one that is not the family's, has no row.
    assert "| `constant` | always gives the most common answer | .50 | .20 |\n" in text
    assert "| `first-option` | always chooses the first option | .40 to .70 (`none`) | – |\n" in text
    assert "last-option" not in text


def test_a_strategy_is_shown_with_its_share_of_what_it_answers():
    first, *_ = manifest().subsets
    # Right in 90 of 300; of the 100 that it answers that is .90. The interval is scaled, and ends at 1.
    some = msgspec.structs.replace(result("first-option", 0.3, 0.25, 0.36, 0.5), items=300, answered=100)
    # 45 of 50 answered: with 250 that are guessed, fewer are right.
    few = msgspec.structs.replace(result("longest-option", 0.15, 0.1, 0.2, 0.5), items=300, answered=50)
    silent = msgspec.structs.replace(result("constant", 0.0, 0.0, 0.01, 0.5), items=300, answered=0)
    entry = msgspec.structs.replace(first, blind=[few, some, result("last-option", 0.6, 0.5, 0.7, 0.5), silent])
    table = blind_table(msgspec.structs.replace(manifest(), subsets=[entry]), PLANTED)
    assert table.rows[0][1] == ("`first-option` .90 [.75, 1.00] of the 33.3 % that it answers, chance .50",)
    assert {tried.strategy: tried.spreads for tried in table.tried} == {
        "first-option": (".90",), "longest-option": (".90",), "last-option": (".60",),
    }  # fmt: skip
    assert table.compared == 3


def test_of_arms_the_card_has_the_differences_beyond_noise_and_the_details_have_all():
    def arm(after, words, p):
        differences, p_holm = {"words": words, "commas": 0.0, "first number": None}, {"words": p, "commas": 1.0, "first number": None}
        return ArmEntry(before="plain", after=after, groups=9, differences=differences, p_holm=p_holm)

    entry = msgspec.structs.replace(manifest().subsets[0], arms=[arm("odd", 1.25, 0.0099), arm("long", -0.5, 0.01)])
    made = msgspec.structs.replace(manifest(), subsets=[entry])
    text = section(text_of(made), "How the arms differ")
    assert "| `none` | plain → odd | words +1.2 |\n" in text
    assert "No difference is beyond noise between other arms, among them all or some of `none`.\n" in text
    text = section(details_of(made), "How the arms differ")
    assert "| `none` | plain → odd | 9 | **+1.2** | 0 | – |\n| `none` | plain → long | 9 | −0.5 | 0 | – |\n" in text
    assert "How the arms differ" not in text_of(manifest()) + details_of(manifest())


def test_hypotheses_have_their_command_on_the_card_and_a_table_in_the_details():
    made = (Hypothesis("H1", "Loud | odd.", ("none",), (("plain", "loud"), ("plain", "odd")), "worse", styles=True),)
    family = replace(PLANTED, hypotheses=made)
    assert "score replies.jsonl --items datasets/planted-cues/2.0.0 --test mcnemar\n" in text_of(manifest(), family)
    row = "| H1 | Loud \\| odd. | n12 > n21 | prompt styles: plain → loud; plain → odd |"
    assert row in section(details_of(manifest(), family), "Hypotheses")
    assert "mcnemar" not in text_of(manifest())
    assert "Hypotheses" not in details_of(manifest())


def test_a_prompt_with_a_fence_of_its_own_is_fenced_by_a_longer_one():
    prompt = "Run:\n````\nx\n````"
    fenced = replace(PLANTED, make=lambda *place: replace(PLANTED.make(*place), prompt=prompt))
    assert "`````text\nRun:\n````\nx\n````\n`````\n" in text_of(manifest(), fenced)


def test_a_part_on_which_no_strategy_is_the_best_has_no_column_and_mostly_empty_rows_are_a_list():
    def result(strategy, part, share, better="higher"):
        given = {"items": 9, "answered": 9, "high": 0.9, "low": 0.1, "interval": "Wilson", "in_sample": share}
        return BlindEntry(strategy=strategy, part=part, share=share, chance=0.5, p_holm=None, better=better, **given)

    family = dataset("word-problems")
    results = [result("sum", "answer", 0.4), result("sum", "trapped", 0.2, "neither")]
    results += [result("constant", "operation", 0.5), result("length-digit", "last_digit", 0.1)]
    first, *_ = manifest().subsets
    table = blind_table(
        msgspec.structs.replace(manifest(), subsets=[msgspec.structs.replace(first, blind=results)]), family
    )
    assert [table.parts[at] for at in table.best_parts] == ["whole answer", "`operation`", "`last_digit`"]
    # Of two strategies on four parts, three cells are filled: sum has two, the other one.
    assert [[text != "–" for text in tried.spreads].count(True) for tried in table.tried] == [2, 1]
    assert table.sparse_tried
    assert not table.sparse


def test_of_very_many_strategies_only_the_names_are_listed(monkeypatch):
    assert "| `constant` | always gives" in details_of(manifest())
    monkeypatch.setattr("hansproof.release.card._MANY", 2)
    text = section(details_of(manifest()), "What works without the ability")
    assert "strategies were tried; `hansproof score --json` says what each of them does" in text
    assert "`constant`, " in text
    assert "always gives the most common answer" not in text
