"""card.md: read from a family's folder; every fault is named with its line."""

from __future__ import annotations

import sys

import pytest

from hansproof.generators import registry
from hansproof.generators.errors import Fault, InputError, UsageError
from hansproof.generators.registry import CardProse, parse, prose

GOOD = """It measures sums.

Really.

## Fields

- `total`: the sum of all
  numbers
- `n`: how many: 2 or 3

## Uses
Tests.
## Misuses
All else.
## Citation
Nobody
(2024)
## Tags
text-classification, other
"""


def faults(text):
    with pytest.raises(InputError) as caught:
        parse(text, "card.md")
    return list(caught.value.faults)


def test_a_card_has_a_description_fields_on_one_line_and_sections():
    assert parse(GOOD, "card.md") == CardProse(
        description="It measures sums.\n\nReally.",
        fields={"total": "the sum of all numbers", "n": "how many: 2 or 3"},
        uses="Tests.",
        misuses="All else.",
        citation="Nobody (2024)",
        tags=("text-classification", "other"),
    )


def test_tags_are_optional_and_the_list_of_fields_may_be_empty():
    card = parse("It.\n## Fields\n## Uses\nU\n## Misuses\nM\n## Citation\nC\n", "card.md")
    assert (card.fields, card.tags) == ({}, ())


def test_all_faults_are_named_with_their_lines():
    text = "\n## Fields\n- `a`: one\n- `a`: two\n- `b`:\nloose\n## Uses\n\n## Use\nx\n## Citation\nC\n## Citation\nD\n"
    assert faults(text) == [
        Fault(
            "a card has no section 'Use'. Did you mean 'Uses'? Known: Details, Fields, Uses, Misuses, Citation, Tags",
            "card.md: line 9",
        ),
        Fault("section 'Citation' occurs twice", "card.md: line 13"),
        Fault("field 'a' occurs twice", "card.md: line 4"),
        Fault("not a field: 'loose'; write - `key`: what it means", "card.md: line 6"),
        Fault("field 'b' has no meaning", "card.md: line 5"),
        Fault("has no description", "card.md: line 1"),
        Fault("section 'Uses' is empty", "card.md: line 7"),
        Fault("lacks the section '## Misuses'", "card.md"),
    ]


@pytest.mark.parametrize("heading", ["# Title", "### Uses", "##Uses"])
def test_headings_of_another_level_are_unknown_sections(heading):
    assert faults(f"{heading}\n{GOOD}")[0].reason.startswith(f"a card has no section {heading!r}")


def test_a_line_after_an_entry_that_is_not_indented_belongs_to_none():
    assert faults(GOOD.replace("  numbers", "numbers")) == [
        Fault("not a field: 'numbers'; write - `key`: what it means", "card.md: line 8")
    ]


def test_prose_is_read_from_the_folder_of_the_registered_module(monkeypatch, tmp_path):
    folder = tmp_path / "family_of_this_test"
    folder.mkdir()
    for name in ("__init__.py", "dataset.py"):
        (folder / name).touch()
    (folder / "card.md").write_text(GOOD, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in (folder.name, f"{folder.name}.dataset"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(registry.MODULES, "family", f"{folder.name}.dataset")
    assert prose("family") == parse(GOOD, "card.md")
    (folder / "card.md").write_bytes(b"abc\xff")
    with pytest.raises(InputError, match=r"^family_of_this_test/card\.md: byte 4 is not UTF-8$"):
        prose("family")
    (folder / "card.md").unlink()
    with pytest.raises(InputError, match=r"^family_of_this_test/card\.md: is missing; it has .* sections Fields"):
        prose("family")


def test_a_name_that_is_not_registered_is_unknown():
    with pytest.raises(UsageError, match=r"^there is no dataset 'planted-cue'\. Did you mean 'planted-cues'\?"):
        prose("planted-cue")


def test_the_card_of_a_family_is_there():
    assert prose("planted-cues").tags == ("text-classification",)
    assert set(prose("planted-cues").fields) == {"cue", "strength"}
