"""Cards of releases that later turned out to have faults say so, in figures that the frozen items have."""

import re
from collections import Counter, defaultdict
from functools import cache
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from statistics import mean

import pytest

from hansproof.generators.jsonl import read
from hansproof.generators.knights_knaves.formula import parse, table

ROOT = Path(__file__).resolve().parents[3]
CARDS = ROOT / "cards"
UNTIL_THE_ERRATA = {
    "knights-knaves-1.0.0": "b41a40b408a7bfdb6efc780a7482d9b583ae05e594c616afc3885b3efc7eedc7",
    "word-problems-1.0.0": "83dc73894474f281da21cf7d229bce28cafb328530ec7e35ac064d0c44cc16fc",
}
"""Digests of the cards of versions that are no longer generated, with recipes that run, up to the last heading."""
WITH_ERRATA = (
    *UNTIL_THE_ERRATA, "cognitive-tasks-1.0.0", "knights-knaves-2.0.0", "token-bias-1.1.0", "word-problems-2.0.0",
)  # fmt: skip


@pytest.mark.parametrize(("stem", "digest"), UNTIL_THE_ERRATA.items())
def test_a_card_that_can_no_longer_be_made_is_the_frozen_card_and_the_errata(stem, digest):
    frozen, _ = (CARDS / f"{stem}.md").read_text("utf-8").split("\n## Errata\n")
    assert sha256(frozen.encode()).hexdigest() == digest


@pytest.mark.parametrize("stem", WITH_ERRATA)
def test_a_card_ends_with_its_errata(stem):
    _, errata = (CARDS / f"{stem}.md").read_text("utf-8").split("\n## Errata\n")
    assert errata.strip() == (CARDS / f"{stem}.errata.md").read_text("utf-8").strip()
    assert errata.count("\n- **") >= 4


def test_no_other_card_has_errata():
    assert {path.name for path in CARDS.glob("*.errata.md")} == {f"{stem}.errata.md" for stem in WITH_ERRATA}
    others = [path for path in CARDS.glob("*.md") if "errata" not in path.name and path.stem not in WITH_ERRATA]
    assert len(others) >= 3
    assert all(path.read_text("utf-8").endswith("## Errata\n\nNone so far.\n") for path in others)


@cache
def items(name, version, subset):
    return read(ROOT / "datasets" / name / version / f"{subset}.jsonl")


@cache
def errata(stem):
    return " ".join((CARDS / f"{stem}.errata.md").read_text("utf-8").split())


def test_first_numbers_with_and_without_carries_are_as_in_the_errata():
    def first(subset):
        numbers = defaultdict(list)
        for item in items("word-problems", "2.0.0", subset):
            numbers[item.condition].append(int(re.search(r", (\d+),", item.metadata["forms"][0])[1]))
        return [round(mean(numbers[arm])) for arm in ("no-carry", "carry")]

    assert (first("carry"), first("counterbalanced-carry")) == ([620, 469], [614, 425])
    assert "620 on average without carries and 469 with them, in `counterbalanced-carry` 614 and 425" in errata(
        "word-problems-2.0.0"
    )


@pytest.mark.parametrize("subset", ["balanced-syllogism", "balanced-framed-syllogism"])
def test_three_words_solve_the_balanced_syllogisms(subset):
    right = 0
    for item in items("token-bias", "1.1.0", subset):
        nouns = sorted((item.metadata["kind"], item.metadata["other"]), key=len, reverse=True)
        sentences = item.prompt.split("\n\n")[1].split(". ")
        told = [
            re.findall(rf"(?<!\w)({'|'.join(map(re.escape, nouns))})(?!\w)", text, re.IGNORECASE) for text in sentences
        ]
        (_, closing), (about,) = sorted(told[:2], key=len, reverse=True)
        right += item.answer == ("no" if closing.lower() == about.lower() else "yes")
    assert right == len(items("token-bias", "1.1.0", subset)) == 2_000
    assert "right for all 4,000 items" in errata("token-bias-1.1.0")


def test_words_by_arm_and_contents_of_groups_are_as_in_the_errata():
    def words(subset):
        counts = defaultdict(list)
        for item in items("token-bias", "1.1.0", subset):
            counts[item.condition].append(len(item.prompt.split()))
        return {arm: mean(each) for arm, each in counts.items()}

    famous, synonyms, framed = words("conjunction-celebrity"), words("syllogism"), words("framed-syllogism")
    text = errata("token-bias-1.1.0")
    assert f"has {famous['famous']:.2f} words on average, the unknown one {famous['unknown']:.2f}" in text
    assert f"Synonyms (H4) add {synonyms['synonyms'] - synonyms['original']:.1f} words" in text
    added = [framed[arm] - framed["unframed"] for arm in ("satirical", "reputable", "anonymous")]
    assert f"sources (H5) {min(added):.1f} to {max(added):.1f}" in text
    frames = {
        kind: len({item.metadata["frame"] for item in items("token-bias", "1.1.0", f"balanced-{kind}")})
        for kind in ("persona", "story", "disease", "celebrity", "disaster")
    }
    assert frames == {"persona": 112, "story": 112, "disease": 111, "celebrity": 42, "disaster": 20}
    people = [
        item for kind in ("conjunction", "balanced") for item in items("token-bias", "1.1.0", f"{kind}-celebrity")
    ]
    assert (len({item.metadata["figure"] for item in people}), len(people)) == (84, 504 + 2240)
    assert all("alive and well" in item.prompt for item in people)


def test_statements_of_balanced_puzzles_are_of_the_kinds_and_as_often_equal_as_in_the_errata():
    puzzles = items("knights-knaves", "2.0.0", "balanced")
    kinds = Counter(kind for item in puzzles for kind in item.metadata["kinds"])
    shares = {kind: round(100 * count / kinds.total()) for kind, count in kinds.items()}
    assert (kinds.total(), shares) == (5_824, {"alternative": 28, "equivalence": 25, "nested": 24, "exclusive": 23})
    classes = defaultdict(list)
    for item in puzzles:
        if item.metadata["n"] == 4:
            said = [table(parse(text, ("A", "B", "C", "D")), 4) for text in item.metadata["statements"]]
            classes[min(renamed(said, order) for order in permutations(range(4)))].append(item.group)
    shared = [groups for groups in classes.values() if len({*groups}) > 1]
    assert (len(classes), sum(map(len, shared)), max(map(len, shared))) == (255, 203, 18)
    text = errata("knights-knaves-2.0.0")
    assert "are 255, up to the names and order of characters; 203 are equal to one of another group" in text


def renamed(tables, order):
    """The truth tables of the speakers in another order, over worlds in which the characters have that order, too."""
    worlds = [sum((world >> place & 1) << character for place, character in enumerate(order)) for world in range(16)]
    return tuple(sum((tables[speaker] >> old & 1) << world for world, old in enumerate(worlds)) for speaker in order)


def test_arms_pay_as_often_as_in_the_errata_and_stories_share_their_draws():
    paid = defaultdict(list)
    for item in items("cognitive-tasks", "1.0.0", "instrumental-learning"):
        about = item.metadata
        for visit, casino in enumerate(about["order"]):
            for arm in "01":
                paid[about[f"chances_{arm}"][casino - 1]].append(about[f"rewards_{arm}"][visit])
    shares = {chance: (round(100 * mean(draws), 1), len(draws)) for chance, draws in paid.items()}
    assert shares == {75: (72.7, 1_920), 25: (26.6, 1_920)}
    assert "pay in 72.7 and 26.6 % of them (1,920 draws each" in errata("cognitive-tasks-1.0.0")
    first, second = (items("cognitive-tasks", "1.0.0", name) for name in ("two-step", "two-step-musician"))
    drawn = ("common", "paid", "chances")
    pairs = zip(first, second, strict=True)
    assert all(a.group == b.group and a.metadata[key] == b.metadata[key] for a, b in pairs for key in drawn)
