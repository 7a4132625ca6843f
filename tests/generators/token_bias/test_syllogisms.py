"""Syllogisms: valid or not by two provers and by Venn regions; matched pairs; no word that tells."""

import re
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby, pairwise, product
from pathlib import Path

import pytest
from nltk.inference.resolution import ResolutionProver
from nltk.inference.tableau import TableauProver
from nltk.sem.logic import Expression

from hansproof.generators import token_bias
from hansproof.generators.registry import dataset
from hansproof.generators.token_bias.entailment import check, entailed, read_syllogism
from hansproof.generators.token_bias.premises import (
    GENERIC,
    LOOSE_PARTICULAR,
    LOOSE_UNIVERSAL,
    NAMED,
    PARTICULAR,
    PLAIN,
    UNIVERSAL,
    Figure,
    Triple,
    triples,
)

FAMILY = dataset("token-bias")
ROSES = Triple("roses", "flowers", "fade within a week", shared=True)
SUBSETS = ("syllogism", "balanced-syllogism", "framed-syllogism", "balanced-framed-syllogism")


def items(subset, count=240, seed=4):
    return [FAMILY.item(subset, seed, index) for index in range(count)]


def formula(quantifier, subject, predicate):
    joined = f"({subject}(x) -> {predicate}(x))" if quantifier == "all" else f"({subject}(x) & {predicate}(x))"
    return Expression.fromstring(f"{quantifier if quantifier == 'all' else 'exists'} x.{joined}")


@pytest.mark.parametrize(("inside", "about_kind"), [(True, True), (True, False), (False, True), (False, False)])
def test_two_provers_and_all_worlds_agree_on_every_figure(inside, about_kind):
    figure = Figure(inside, about_kind)
    whole, part, subject, concluded = (term.upper() for term in figure.terms(ROSES))
    premises = [formula("all", whole, part), formula("some", subject, "P")]
    conclusion = formula("some", concluded, "P")
    assert TableauProver().prove(conclusion, premises) is figure.valid
    if figure.valid:  # without a proof, resolution may go on for ever
        assert ResolutionProver().prove(conclusion, premises)
    assert entailed((("all", whole, part), ("some", subject, "P")), ("some", concluded, "P")) is figure.valid


@pytest.mark.parametrize("mood", list(product(["all", "some"], [("A", "B"), ("B", "A")], [("B", "C"), ("C", "B")])))
def test_worlds_and_tableaux_agree_on_other_syllogisms_too(mood):
    quantifier, first, second = mood
    premises, conclusion = ((quantifier, *first), ("some", *second)), ("some", "A", "C")
    proved = TableauProver().prove(formula(*conclusion), [formula(*premise) for premise in premises])
    assert entailed(premises, conclusion) is proved


def test_nothing_is_entailed_where_a_class_may_be_empty():
    assert entailed((("all", "A", "B"), ("all", "B", "C")), ("all", "A", "C"))
    assert not entailed((("all", "A", "B"), ("all", "B", "C")), ("some", "A", "C"))


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_prompt_leads_to_the_gold_answer_and_to_no_other(subset):
    for item in items(subset):
        assert check(item) == []
        assert check(replace(item, answer="no" if item.answer == "yes" else "yes"))


def test_the_example_of_the_paper_is_read():
    said = "All roses are flowers. A few flowers fade within a week. So a few roses fade within a week."
    text = f"Is it?\n\n{said}\n\nYes?"
    assert read_syllogism(text) == (
        (("all", "roses", "flowers"), ("some", "flowers", "fade within a week")),
        ("some", "roses", "fade within a week"),
    )
    assert read_syllogism(text.replace("So a few", "So several")) is None  # another quantifier is another statement
    assert read_syllogism(text.replace("All roses are flowers. ", "")) is None
    for other in ("Few roses", "Not all roses", "Almost all roses", "Only roses", "No roses"):
        assert read_syllogism(text.replace("All roses", other)) is None
    for same in (
        "Roses",
        "Without exception, roses",
        "All roses, without exception,",
        "All roses, with no exceptions,",
    ):
        assert read_syllogism(text.replace("All roses", same)) == read_syllogism(text)


def groups(subset):
    return [list(group) for _, group in groupby(items(subset), lambda item: item.group)]


def words(text):
    return re.findall(r"[\w-]+|[^\w\s]", text)


def changed(before, after):
    """The words that differ, on both sides."""
    a, b = words(before), words(after)
    return [
        (" ".join(a[i:j]).lower(), " ".join(b[k:m]).lower())
        for kind, i, j, k, m in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


@pytest.mark.parametrize("subset", ["syllogism", "balanced-syllogism"])
def test_synonyms_are_all_that_a_pair_differs_in(subset):
    allowed = {
        word for text in (*PLAIN, *LOOSE_UNIVERSAL, *LOOSE_PARTICULAR) for word in words(text.format("").lower())
    }
    for group in groups(subset):
        named = {item.condition: item for item in group}
        for plain in named.keys() & {"original", "valid", "invalid"}:
            before, after = named[plain], named["synonyms" if plain == "original" else f"{plain}-synonyms"]
            for pair in changed(before.prompt, after.prompt):
                for text in pair:
                    # A capital may move from the quantifier to the term.
                    assert set(words(text)) <= allowed | set(
                        words(f"{before.metadata['kind']} {before.metadata['other']}")
                    )


def test_sources_are_all_that_framings_differ_in():
    named = {word for known in (NAMED, GENERIC) for pair in known.values() for part in pair for s in part
             for word in words(s.lower())}  # fmt: skip
    for subset in ("framed-syllogism", "balanced-framed-syllogism"):
        for group in groups(subset):
            for validity in {item.answer for item in group}:
                framed = {item.metadata["framing"]: item.prompt for item in group if item.answer == validity}
                for other in ("satirical", "anonymous"):
                    for pair in changed(framed["reputable"], framed[other]):
                        assert {word for text in pair for word in words(text)} <= named


def test_where_a_conclusion_may_follow_every_quantifier_keeps_the_logic_exactly():
    loose = {text.format("...") for text in (*LOOSE_UNIVERSAL, *LOOSE_PARTICULAR)} - {
        text.format("...") for text in (*UNIVERSAL, *PARTICULAR)
    }
    assert loose == {"...", "a few ..."}
    for subset in SUBSETS:
        said = {item.metadata[key] for item in items(subset, 1_000) for key in ("universal", "particular")}
        assert said & loose == (loose if subset == "syllogism" else set())


def test_where_a_conclusion_may_follow_from_what_somebody_says_the_claims_are_granted():
    for item in items("balanced-framed-syllogism"):
        assert "claim" in item.prompt.split("\n\n")[0]
    for item in items("balanced-syllogism"):
        assert "premises" in item.prompt.split("\n\n")[0]


@pytest.mark.parametrize("subset", ["balanced-syllogism", "balanced-framed-syllogism"])
def test_twins_have_the_same_words_and_neighbours_and_length(subset):
    twins = Counter()
    for group in groups(subset):
        plain = [item for item in group if item.condition in ("valid", "invalid", "valid-unframed", "invalid-unframed")]
        invalid, valid = ([word.lower() for word in re.findall(r"\w+", item.prompt)] for item in plain)
        assert Counter(invalid) == Counter(valid)
        if not plain[0].metadata["particular_first"]:
            assert Counter(pairwise(invalid)) == Counter(pairwise(valid))
        assert sorted(item.answer for item in plain) == ["no", "yes"]
        twins[plain[0].metadata["kind_first"]] += 1
    assert min(twins.values()) > 10


def test_nobody_real_is_said_to_have_said_what_is_false():
    for item in items("framed-syllogism", 400):
        assert item.metadata["kind_first"]
        assert item.metadata["other"] == item.metadata["category"]
    real = {name for framing in ("reputable", "satirical") for part in NAMED[framing] for name in part}
    for item in items("balanced-framed-syllogism", 800):
        assert not [name for name in real if name.lower() in item.prompt.lower()]


def test_at_least_150_triples_stand_in_the_lexicon_and_none_twice():
    every = triples()
    assert len(every) == len(set(every)) > 1_600
    assert len({triple.kind for triple in every}) > 200
    terms = {triple.kind for triple in every} & {triple.category for triple in every}
    assert terms == set()
    for shared in (True, False):
        assert not [triple for triple in triples(shared, strict=True) if triple.property.startswith("are ")]


def test_where_a_conclusion_may_follow_no_term_contains_the_other():
    assert Triple("straw hats", "hats", "", True).is_named_after()
    assert Triple("toy cars", "toys", "", True).is_named_after()
    assert not ROSES.is_named_after()
    for subset in ("balanced-syllogism", "balanced-framed-syllogism"):
        for item in items(subset, 800):
            last_word = item.metadata["category"].split()[-1]
            terms = {item.metadata["kind"], item.metadata["other"]}
            assert len(terms) == 2
            assert terms <= {triple.kind for triple in triples() if triple.category == item.metadata["category"]}
            assert not [term for term in terms if last_word[:-1] in term]
            assert re.search("nothing else|leave aside|by them alone|no other knowledge", item.prompt)


def test_each_triple_occurs_once_before_any_occurs_again():
    rows = items("balanced-syllogism", 2_000, FAMILY.seed)
    drawn = Counter((item.metadata["kind"], item.metadata["property"]) for item in rows)
    assert set(drawn.values()) == {4}
    assert len({item.prompt for item in rows}) == 2_000


def test_the_card_counts_kinds_and_categories():
    card = Path(token_bias.__file__).with_name("card.md").read_text("utf-8")
    kinds, categories = (len({getattr(triple, name) for triple in triples()}) for name in ("kind", "category"))
    assert f"{kinds} kinds of things in {categories} categories" in " ".join(card.split())
