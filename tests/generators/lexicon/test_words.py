"""The word lists: no word in two roles, sizes that mean something, verbs that the rules get right."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from importlib.resources import files

import pytest
import syllapy
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from hansproof.generators.errors import UsageError
from hansproof.generators.lexicon.words import KINDS, SIZES, past, present_participle, third_person, words


def all_forms() -> list[str]:
    forms: list[str] = []
    for kind in KINDS:
        for size in SIZES:
            for word in words(kind, size):
                forms.append(word.lower())
                if kind == "verbs":
                    forms += [past(word), present_participle(word), third_person(word)]
    return forms


def test_no_word_stands_twice_or_in_two_forms():
    assert [word for word, count in Counter(all_forms()).items() if count > 1] == []


def test_words_are_plain_letters_and_no_function_words():
    forms = all_forms()
    assert [word for word in forms if not re.fullmatch("[a-z]+", word)] == []
    assert [word for word in forms if word in ENGLISH_STOP_WORDS] == []


def test_wording_and_cues_use_no_word_of_the_lists():
    lists = tomllib.loads((files("hansproof.generators.planted_cues") / "english.toml").read_text("utf-8"))
    stories = [parts for name, parts in lists.items() if name not in ("patterns", "asides")]
    wording = " ".join(part if isinstance(part, str) else " ".join(part) for parts in stories for part in parts)
    fixed = set(re.findall("[a-z]+", re.sub(r"<[^>]*>|\{[^}]*\}", " ", wording).lower()))
    assert {"because", "questionnaire"} & fixed == {"because"}
    assert (fixed | {"usually", "often", "old", "new", "bridge", "mill"}) & set(all_forms()) == set()


def test_no_word_sounds_otherwise_than_its_first_letter_says():
    # `a` or `an` goes by the letter: "an umbrella" is right, "an uniform" would not be.
    odd = re.compile("(uni|use|usu|eu|one|once|hour|honest|honour|heir)")
    assert [word for kind in KINDS for size in SIZES for word in words(kind, size) if odd.match(word)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_long_words_have_more_syllables_by_an_independent_count(kind):
    means = {}
    for size in SIZES:
        counts = [max(1, syllapy.count(word.lower())) for word in words(kind, size)]
        means[size] = sum(counts) / len(counts)
        assert len(counts) >= 45
    assert means["short"] < 1.6
    assert means["long"] > 2.75


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("mend", ("mended", "mending", "mends")),
        ("carve", ("carved", "carving", "carves")),
        ("guarantee", ("guaranteed", "guaranteeing", "guarantees")),
        ("purify", ("purified", "purifying", "purifies")),
        ("survey", ("surveyed", "surveying", "surveys")),
        ("fetch", ("fetched", "fetching", "fetches")),
        ("wash", ("washed", "washing", "washes")),
        ("fix", ("fixed", "fixing", "fixes")),
    ],
)
def test_verbs_are_inflected(base, forms):
    assert (past(base), present_participle(base), third_person(base)) == forms


def test_no_verb_of_the_lists_would_double_its_last_letter():
    # One syllable ending in one vowel and one consonant: "drop" would become "droped".
    doubling = re.compile("[^aeiou]*[aeiou][bdfgklmnprt]$")
    assert [word for word in words("verbs", "short") if doubling.fullmatch(word)] == []


@pytest.mark.parametrize(("kind", "size"), [("nouns", "short"), ("things", "medium"), ("../words", "short")])
def test_an_unknown_list_is_refused_with_the_known_ones(kind, size):
    with pytest.raises(UsageError, match=r"there is no word list '.*'\. .*Known: adjectives_short, adjectives_long, "):
        words(kind, size)
