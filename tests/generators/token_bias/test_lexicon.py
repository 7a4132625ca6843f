"""The hand-written texts: how many there are, and that their English holds in every item made from them."""

import re
from collections import Counter
from importlib.resources import files

import pytest

from hansproof.generators.token_bias.judgement import places_near
from hansproof.generators.token_bias.lexicon.entries import NAMES, gendered, listed
from hansproof.generators.token_bias.themes import (
    COMPLAINTS,
    DISASTERS,
    DISEASES,
    FIGURES,
    PERSONAS,
    REASONS,
    SCENARIOS,
    STORIES,
    SYMPTOMS,
    related,
)

SLOTS = {
    "bio": {"name", "age", "he", "him", "his", "himself", "He", "His"},
    "story": {"name", "he", "him", "his"},
    "scene": {"city"},
    "event": {"he", "him", "his", "n", "place", "time"},
}
FILES = sorted(
    path.name.removesuffix(".txt")
    for path in files("hansproof.generators.token_bias.lexicon").iterdir()
    if path.name.endswith(".txt")
)
ENTRIES = [*PERSONAS, *STORIES, *REASONS, *DISEASES, *COMPLAINTS, *FIGURES, *DISASTERS, *SCENARIOS]
OTHERS = "aunt brother colleague cousin daughter father friend grandmother mother neighbour nephew niece sister uncle"


def bare_pronouns(text):
    return re.findall(r"(?<!\{)\b(?:he|she|him|her|his|hers|himself|herself)\b(?!\})", text, re.IGNORECASE)


def test_there_are_as_many_as_were_asked_for():
    places = {entry.name.rpartition("-")[0] for entry in PERSONAS}
    assert (len(PERSONAS), len(places)) == (128, 32)
    assert len(STORIES) == 128
    assert len(REASONS) == 15
    assert len(DISEASES) == 77
    assert len(SYMPTOMS) == 106
    assert len(FIGURES) == 84
    assert len(DISASTERS) == 80
    assert len(SCENARIOS) == 84
    assert [len(NAMES[gender]) for gender in NAMES] == [70, 70]


def test_every_entry_is_complete_and_unlike_all_others():
    assert {frozenset(entry.values) for entry in STORIES} == {
        frozenset({"story", "event", "and", "to", "because", "so that"})
    }
    assert {frozenset(entry.values) for entry in PERSONAS} == {frozenset({"bio", "activity"})}
    for group in (PERSONAS, STORIES, DISASTERS, SCENARIOS):
        assert len({entry.name for entry in group}) == len(group)
        for key in group[0].values:
            if key != "land":
                assert [text for text, n in Counter(entry.values[key] for entry in group).items() if n > 1] == []


@pytest.mark.parametrize("group", [PERSONAS, STORIES], ids=["personas", "stories"])
def test_places_near_exist_and_leave_everybody_enough_to_borrow(group):
    place_of = {entry.name: entry.name.rpartition("-")[0] for entry in group}
    assert {near for entry in group for near in entry.near} <= set(place_of.values())
    apart = places_near(group)
    for entry in group:
        assert place_of[entry.name] not in entry.near
        lenders = [other for other in group if other.theme != entry.theme and (entry.name, other.name) not in apart]
        assert len(lenders) >= 28, entry.name


def test_what_may_follow_and_or_or_has_neither_inside():
    for text in [entry.values[key] for entry in STORIES for key in ("event", "and")] + [
        entry.values["activity"] for entry in PERSONAS
    ]:
        assert not {"and", "or"} & set(re.findall(r"[a-z]+", text.replace("black-and-white", ""))), text


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_short_and_repeats_no_line(name):
    text = files("hansproof.generators.token_bias.lexicon").joinpath(f"{name}.txt").read_text("utf-8")
    assert len(text.splitlines()) <= 400
    assert text.startswith("# ")
    # Values of few kinds may return: genders of figures, lands, kinds of symptoms.
    free = ("gender:", "shared:", "land:", "apart:", "ages:", "Watch out for the conjunction fallacy.")
    lines = [line for line in listed(name) if not line.startswith(free)]
    assert [line for line, count in Counter(lines).items() if count > 1] == []


@pytest.mark.parametrize("name", FILES)
def test_words_are_neither_doubled_nor_given_the_wrong_article(name):
    silent = r"(?:hour|honest|heir)"
    for line in listed(name):
        assert not re.search(r"\b(\w+) \1\b", line), line
        assert not re.search(rf"\b[Aa] (?:(?!one\b|uni|use|eu)[aeiou]|{silent})", line), line
        assert not re.search(rf"\b[Aa]n (?!{silent})[^aeiou]", line), line
        assert "  " not in line, line
        assert not re.search(r" [.,;:]", line), line


def test_pronouns_are_slots_unless_somebody_else_is_meant():
    for entry in ENTRIES:
        whole = " ".join(entry.values.values())
        if bare_pronouns(whole):
            assert set(re.findall(r"[a-z]+", whole)) & set(OTHERS.split()), entry.name


def test_slots_are_those_that_are_filled():
    for entry in ENTRIES:
        for key, text in entry.values.items():
            allowed = SLOTS.get(key, {"he", "him", "his", "himself"})
            assert set(re.findall(r"\{(\w+)\}", text)) <= allowed, (entry.name, key)
    assert gendered("{He} saw {himself}, {his} cat saw {him}, and {he} left, {name}.", "woman") == (
        "She saw herself, her cat saw her, and she left, {name}."
    )


def test_a_scene_names_its_person_first_and_ends_as_a_sentence():
    for entry in (*PERSONAS, *STORIES):
        scene = next(iter(entry.values.values()))
        assert "{name}" in scene, entry.name
        assert scene.endswith("."), entry.name
        before = scene.partition("{name}")[0]
        assert set(re.findall(r"\{\w+\}", before)) <= {"{time}"}, entry.name
        assert scene[0] == "{" or scene[0].isupper(), entry.name
        later = re.findall(r"[.?!] (\S+)", scene)
        assert all(word.strip("{}")[0].isupper() or word.startswith("{name}") for word in later), entry.name


def test_what_follows_a_connective_is_no_sentence_of_its_own():
    for entry in (*PERSONAS, *STORIES, *REASONS):
        for key, text in entry.values.items():
            if key not in ("bio", "story"):
                assert not text.endswith("."), (entry.name, key)
                assert text[0] == "{" or text[0].islower(), (entry.name, key)


def test_nobody_is_in_two_lists_of_names():
    assert set(NAMES["woman"]) & set(NAMES["man"]) == set()
    famous, strangers = ([figure.values[key] for figure in FIGURES] for key in ("figure", "stranger"))
    assert len({*famous, *strangers}) == 168
    assert not {name.split()[-1] for name in famous} & {name.split()[-1] for name in strangers}


def test_every_stranger_has_a_name_as_long_as_that_of_the_figure():
    for figure in FIGURES:
        famous, stranger = figure.values["figure"], figure.values["stranger"]
        assert (len(famous), len(famous.split())) == (len(stranger), len(stranger.split())), famous


def test_women_and_men_are_as_many_in_every_field_of_the_figures():
    assert set(Counter((figure.theme, figure.values["gender"]) for figure in FIGURES).values()) == {3}
    assert Counter(scenario.theme for scenario in SCENARIOS) == {figure.theme: 6 for figure in FIGURES}


def test_a_time_opens_its_sentence_so_that_it_belongs_to_no_other_word():
    for entry in DISASTERS:
        assert entry.values["event"].startswith("{time}, "), entry.name


def test_what_figures_may_have_done_is_past_and_says_nothing_of_them():
    for entry in SCENARIOS:
        text = " ".join(entry.values.values())
        assert not re.search(
            r"\b(will|is|are|has|famous|great|well-known|alive|\{name\})\b(?! (experiment|climbs))", text
        ), text


def symptoms(disease):
    return {kind: disease.values[kind].split("; ") for kind in ("own", "shared")}


def test_every_disease_has_four_symptoms_or_more_and_lends_none_that_another_has():
    for disease in DISEASES:
        listed_here = symptoms(disease)["own"] + symptoms(disease)["shared"]
        assert len(set(listed_here)) == len(listed_here) >= 4, disease.name
    for lent in SYMPTOMS:
        text = lent.values["symptom"]
        others = [disease for disease in DISEASES if text in symptoms(disease)["own"] + symptoms(disease)["shared"]]
        assert {disease.theme for disease in others} == {lent.theme}, text
    typical = {text for disease in DISEASES for texts in symptoms(disease).values() for text in texts}
    assert typical & {entry.values["complaint"] for entry in COMPLAINTS} == set()


def test_a_symptom_is_one_short_phrase_that_no_connective_cuts_in_two():
    for lent in SYMPTOMS:
        text = lent.values["symptom"]
        assert not re.search(r"\b(?:and|or|both|when|but)\b", text), text
        assert len(text.split()) <= 12, text


def test_a_cause_is_a_clause_and_what_may_happen_besides_says_where():
    for entry in DISASTERS:
        assert not re.search(r"\b(?:will|after)\b", entry.values["after"]), entry.name
        assert "there" in entry.values["and"].split(), entry.name


def test_what_is_kept_apart_is_a_known_disease_of_another_area():
    themes = {disease.values["disease"]: disease.theme for disease in DISEASES}
    for entry in (*DISEASES, *COMPLAINTS):
        assert len(set(related(entry))) == len(related(entry)), entry.values
        assert set(related(entry)) <= set(themes), entry.values
        assert entry.theme not in {themes[disease] for disease in related(entry)}, entry.values
    for disease in DISEASES:
        first, last = map(int, disease.values.get("ages", "40-70").split("-"))
        assert 40 <= first < last <= 70, disease.name


def test_occupations_have_their_article_and_no_group_of_people_is_named():
    assert all(re.match("an? ", occupation) for occupation in listed("occupations"))
    assert len(listed("occupations")) == 40
    groups = "black white asian african american european muslim christian jewish hindu gay poor foreign immigrant"
    traits = rf"\b(?:{groups.replace(' ', '|')})s?\b"
    for entry in PERSONAS:
        for text in entry.values.values():
            assert not re.search(traits, text.replace("black-and-white", ""), re.IGNORECASE), entry.name
