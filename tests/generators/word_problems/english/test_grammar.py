"""Whole problems pass an offline grammar checker (harper); its false alarms are listed with the reason."""

from collections import Counter

import pytest
from slow_part import slow_but

from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.english.vocabulary import PRONOUNS

# Rules that object to correct English -> the only words they may object to.
WRONG_ABOUT = {
    # Its dictionary is American here.
    "SpellCheck": {
        *("metres", "metre", "litres", "litre", "millilitres", "millilitre", "grey", "neighbour", "neighbours"),
        *(
            "favour",
            "afterwards",
            "Afterwards",
            "theatre",
            "catalogue",
            "catalogues",
            "colour",
            "colours",
            "maths",
            "flyers",
            "yos",
        ),
        *(
            "labelled",
            "organiser",
            "centre",
            "catalogued",
            "programme",
            "programmes",
            "jewellery",
            "woollen",
            "harbour",
            "draughty",
            "pretzels",
        ),
        *(
            "catalogue",
            "practise",
            "organisers",
            "flyer",
            "yo",
            "draper",
            "moustache",
            "aeroplane",
            "pompoms",
            "pompom",
        ),
    },
    "OrthographicConsistency": {"Mia", "Leo", "Ian"},  # takes the name for an acronym (MIA)
    "Regionalisms": {"aubergines", "aubergine", "lorry", "courgettes", "courgette"},  # British throughout
    "CompoundNouns": {
        *("jelly beans", "store room", "back room", "work tables", "paper clips", "pen friend", "pine cones"),
        *("tea room", "drain pipe", "paper clip", "pine cone", "jelly bean", "wing nut", "wing nuts"),
    },
    "PronounVerbAgreement": {"lent", "dug"},  # takes past tenses for the present
    "MissingPreposition": {"was "},  # It was clear that
    "Therein": {"there in"},  # how many were there in the box
    "WereWhere": {"were"},  # how many were there
}


def objections(linter, text):
    for rule, lints in linter.organized_lints(text).items():
        for lint in lints:
            span = lint.span
            words = text[span.start : span.end]
            bare = words.removesuffix("'s")
            if bare not in PRONOUNS and bare not in WRONG_ABOUT.get(rule, ()):
                yield rule, words


@pytest.fixture(scope="module")
def linter():
    return pytest.importorskip("harper", reason="the grammar checker is not installed").Linter()


@pytest.mark.parametrize("subset", slow_but(PLANS, "distractor"))
def test_the_grammar_checker_has_no_objections(linter, subset):
    objected = Counter()
    for index in range(60):
        objected.update(objections(linter, DATASET.item(subset, 11, index).prompt))
    assert objected == {}


@pytest.mark.parametrize("text", ["Alice has an red apple.", "Alice has has 3 apples.", "Alice has 3 aples."])
def test_the_grammar_checker_detects_wrong_english(linter, text):
    assert list(objections(linter, text))
