"""Whole problems pass an offline grammar checker (harper); its false alarms are listed with the reason."""

from collections import Counter

import pytest

from generators.word_problems.dataset import DATASET
from generators.word_problems.english.vocabulary import PRONOUNS
from generators.word_problems.subsets import PLANS

# Rules that object to correct English -> the only words they may object to.
WRONG_ABOUT = {
    "SpellCheck": {"grey", "metres", "litres", "metre", "litre", "neighbour"},  # its dictionary is American here
    "OrthographicConsistency": {"Mia", "Leo", "Ian"},  # takes the name for an acronym (MIA)
    "Everyone": {"Every one"},  # of boxes, not of people
    "Regionalisms": {"petrol"},  # British throughout
    "CompoundNouns": {"white caps", "yellow hammers", "blue jackets"},  # no waves, birds, sailors
    "InflectedVerbAfterTo": {"to envelopes"},  # "when it comes to": a noun
}


def objections(linter, text):
    for rule, lints in linter.organized_lints(text).items():
        for lint in lints:
            span = lint.span
            words = text[span.start : span.end]
            if words.removesuffix("'s") not in PRONOUNS and words not in WRONG_ABOUT.get(rule, ()):
                yield rule, words


@pytest.fixture(scope="module")
def linter():
    return pytest.importorskip("harper", reason="the grammar checker is not installed").Linter()


@pytest.mark.parametrize("subset", PLANS)
def test_the_grammar_checker_has_no_objections(linter, subset):
    objected = Counter()
    for index in range(60):
        objected.update(objections(linter, DATASET.item(subset, 11, index).prompt))
    assert objected == {}


@pytest.mark.parametrize(
    "text",
    ["Alice has an red apple.", "Alice has has 3 apples.", "Alice has 3 aples."],
)
def test_the_grammar_checker_detects_wrong_english(linter, text):
    assert list(objections(linter, text))
