"""Syllogisms: valid or not by a prover and by all worlds; matched sets of equal length; nothing that tells."""

import re
from collections import Counter
from dataclasses import replace
from itertools import groupby, product
from pathlib import Path
from statistics import mean

import pytest
from nltk.inference.tableau import TableauProver
from nltk.sem.logic import Expression

from hansproof.generators import token_bias
from hansproof.generators.registry import dataset
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.entailment import check, entailed, read_syllogism
from hansproof.generators.token_bias.forms import FORMS, ROTATING, arguments
from hansproof.generators.token_bias.premises import EXACT, GENERIC, NAMED, PEOPLE, PLAIN, SETTINGS, triples

FAMILY = dataset("token-bias")
BALANCED = ("balanced-syllogism", "balanced-framed-syllogism")
SUBSETS = ("syllogism", "framed-syllogism", *BALANCED)
TERMS = ("A", "B", "C", *(f"Z{number}" for number in range(12)))


def items(subset, count=240, seed=4):
    return [FAMILY.item(subset, seed, index) for index in range(count)]


def sets(subset, count=240, seed=4):
    return [list(made) for _, made in groupby(items(subset, count, seed), lambda item: item.metadata["matched"])]


def formula(quantifier, subject, predicate):
    joined = {"all": "->", "no": "-> -", "some": "&", "not": "& -"}[quantifier]
    return Expression.fromstring(
        f"{'all' if quantifier in ('all', 'no') else 'exists'} x.({subject}(x) {joined}{predicate}(x))"
    )


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.mood}-{form.valid}-{form.invalid}")
def test_a_prover_finds_each_form_valid_in_one_pattern_and_invalid_in_the_other(form):
    for valid, (*premises, conclusion) in arguments(form, TERMS, 2, Stream(1, "forms")).items():
        assert TableauProver().prove(formula(*conclusion), [formula(*said) for said in premises]) is valid


def true(statement, world):
    quantifier, subject, predicate = statement
    within = [predicate in kind for kind in world if subject in kind]
    return {"all": all(within), "no": not any(within), "some": any(within), "not": not all(within)}[quantifier]


def test_looking_at_types_gives_what_all_256_worlds_of_three_classes_give():
    kinds = [frozenset(term for term, holds in zip("ABC", flags) if holds) for flags in product((0, 1), repeat=3)]
    worlds = [[kind for kind, there in zip(kinds, flags) if there] for flags in product((0, 1), repeat=8)]
    statements = [(q, *pair) for q in ("all", "no", "some", "not") for pair in ("AB", "BA", "BC", "CB")]
    verdicts = Counter()
    for first, second, conclusion in product(
        statements, statements, [(q, "A", "C") for q in ("all", "no", "some", "not")]
    ):
        for inhabited in (False, True):
            possible = [
                world for world in worlds
                if true(first, world) and true(second, world)
                and (not inhabited or all(any(term in kind for kind in world) for term in "ABC"))
            ]  # fmt: skip
            follows = all(true(conclusion, world) for world in possible)
            assert entailed((first, second), conclusion, inhabited) is follows, (first, second, conclusion)
            verdicts[follows] += 1
    assert min(verdicts.values()) > 100


@pytest.mark.parametrize("level", [3, 7, 12])
def test_at_a_level_the_answer_holds_and_no_premise_can_be_spared(level):
    for form in FORMS:
        for valid, (*premises, conclusion) in arguments(form, TERMS, level, Stream(1, form.mood)).items():
            assert len(premises) == level
            assert entailed(tuple(premises), conclusion) is valid
            for place in range(level if valid else 0):
                assert not entailed((*premises[:place], *premises[place + 1 :]), conclusion)
    for item in items(f"balanced-syllogism@{level}", 24):
        assert len(read_syllogism(item.prompt)) == level + 1
        assert check(item) == []


def combining(premises, conclusion, most):
    """The answer of who tries every choice of `most` premises at most, which is a coin (0.5) where none is enough."""
    return 1 if len(premises) <= most and entailed(tuple(premises), conclusion) else 0


def test_who_combines_three_premises_at_most_falls_to_chance_at_level_four_as_the_knob_says():
    right = {}
    for level in (3, 4):
        made = [(item, *read_syllogism(item.prompt)) for item in items(f"balanced-syllogism@{level}", 128)]
        right[level] = mean((item.answer == "yes") == bool(combining(said[:-1], said[-1], 3)) for item, *said in made)
    assert right == {3: 1, 4: 0.5}
    assert "100 % right at 3 and 50 % from 4 on" in FAMILY.subsets["balanced-syllogism"].knob.shown


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_prompt_leads_to_the_gold_answer_and_to_no_other(subset):
    for item in items(subset):
        assert check(item) == []
        assert check(replace(item, answer="no" if item.answer == "yes" else "yes"))


def test_the_example_of_the_paper_is_read():
    said = "All roses are flowers. Some flowers fade within a week. So some roses fade within a week."
    text = f"Is it?\n\n{said}\n\nYes?"
    assert read_syllogism(text) == [
        ("all", "roses", "flowers"),
        ("some", "flowers", "fade within a week"),
        ("some", "roses", "fade within a week"),
    ]
    # Another quantifier is another statement.
    assert read_syllogism(text.replace("So some", "So at least some")) is None
    assert read_syllogism(text.replace("All roses are flowers. ", "")) is None
    for other in ("Few roses", "Not all roses", "Almost all roses", "Only roses"):
        assert read_syllogism(text.replace("All roses", other)) is None
    assert read_syllogism(text.replace("All roses are", "Roses are, without exception,")) == read_syllogism(text)
    assert read_syllogism(text.replace("All roses", "No roses"))[0] == ("no", "roses", "flowers")


def test_what_hangs_on_empty_classes_is_a_fault():
    item = replace(
        items("balanced-syllogism", 1)[0],
        prompt="Is it?\n\nAll poets are twins. All twins are golfers. So some poets are golfers.\n\nYes?",
    )
    assert check(item) == ["whether it follows hangs on whether a class may be empty"]


def words(text):
    return re.findall(r"[\w-]+|[^\w\s]", text.lower())


@pytest.mark.parametrize("subset", ["syllogism", "balanced-syllogism"])
def test_synonyms_are_all_that_a_pair_differs_in(subset):
    own = {word for form in (PLAIN, *sum(EXACT, ())) for text in form[1:] for word in words(text.format(s="", p=""))}
    for made in sets(subset):
        named = {item.condition: item for item in made}
        for plain in named.keys() & {"original", "valid", "invalid"}:
            before, after = named[plain], named[synonyms_of(plain)]
            assert before.prompt != after.prompt
            assert set(Counter(words(before.prompt)) - Counter(words(after.prompt))) <= own
            assert set(Counter(words(after.prompt)) - Counter(words(before.prompt))) <= own


def test_each_synonym_is_two_words_longer_and_that_of_all_kinds_one():
    for subset, kinds in (("syllogism", ("original",)), ("balanced-syllogism", ("valid", "invalid"))):
        for made in sets(subset):
            named = {item.condition: item.prompt for item in made}
            for kind in kinds:
                before, after = (len(text.split()) for text in (named[kind], named[synonyms_of(kind)]))
                known = len(re.findall(r"\b(?:some|no|all)\b(?! be\b)", named[kind].split("\n\n")[1], re.I))
                assert after - before == 2 * known - (subset == "syllogism")


def synonyms_of(condition):
    return "synonyms" if condition == "original" else f"{condition}-synonyms"


@pytest.mark.parametrize("subset", ["framed-syllogism", "balanced-framed-syllogism"])
def test_framings_are_equally_long_and_differ_in_the_sources_alone(subset):
    sources = {source for known in (NAMED, GENERIC) for of in known.values() for pairs in of.values() for pair in pairs
               for source in pair}  # fmt: skip
    pattern = re.compile("|".join(sorted(map(re.escape, sources), key=len, reverse=True)), re.IGNORECASE)
    for made in sets(subset):
        for answer in {item.answer for item in made}:
            prompts = [item.prompt for item in made if item.answer == answer]
            assert len(prompts) == len(set(prompts)) == 4
            assert len({(len(prompt), len(prompt.split())) for prompt in prompts}) == 1
            assert len({pattern.sub("#", prompt) for prompt in prompts}) == 1


@pytest.mark.parametrize("subset", SUBSETS)
def test_premises_are_granted_in_every_item(subset):
    assert all(
        re.search(r"(premises|both statements) (are true|as given|as true)", item.prompt) for item in items(subset)
    )


def test_no_conclusion_denies_a_premise():
    opposites = {"no": ("some",), "some": ("no",), "all": ("no", "not"), "not": ("all",)}
    for item in items("balanced-syllogism", 400):
        *given, (quantifier, *pair) = read_syllogism(item.prompt)
        assert not [said for said in given if set(said[1:]) == set(pair) and said[0] in opposites[quantifier]]


@pytest.mark.parametrize("subset", BALANCED)
def test_twins_have_the_same_words_and_opposite_answers(subset):
    for made in sets(subset):
        named = {item.condition: item for item in made}
        invalid, valid = (named[name if subset == BALANCED[0] else f"{name}-unframed"] for name in ("invalid", "valid"))
        if subset == BALANCED[0]:
            assert Counter(words(invalid.prompt)) == Counter(words(valid.prompt))
        assert (invalid.answer, valid.answer) == ("no", "yes")


@pytest.mark.parametrize(("subset", "count"), [("balanced-syllogism", 2_048), ("balanced-framed-syllogism", 2_400)])
def test_no_mood_and_no_pattern_says_anything_of_the_answer(subset, count):
    rows = items(subset, count, FAMILY.seed)
    for key in ("mood", "pattern"):
        table = Counter((item.metadata[key], item.answer) for item in rows)
        assert all(table[value, "yes"] == table[value, "no"] > 0 for value, _ in table)
    forms = FORMS if subset == "balanced-syllogism" else ROTATING
    assert {row.metadata["pattern"] for row in rows} == {pattern for form in forms for pattern in form[1:]}


def test_at_a_level_moods_and_patterns_are_balanced_too():
    chance = {}
    for key in ("mood", "pattern"):
        table = Counter((item.metadata[key], item.answer) for item in items("balanced-syllogism@3", 4_800))
        chance[key] = (
            sum(max(table[value, answer] for answer in ("yes", "no")) for value in {v for v, _ in table}) / 4_800
        )
    assert chance["mood"] == 0.5
    assert chance["pattern"] < 0.56  # patterns are many by now, so that some tell by luck


@pytest.mark.slow
@pytest.mark.parametrize("subset", BALANCED)
def test_regressions_on_ngrams_with_punctuation_are_at_chance(subset):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    rows = items(subset, FAMILY.subsets[subset].rows, FAMILY.seed)
    golds, groups = [item.answer for item in rows], [item.group for item in rows]
    term = re.compile("|".join(sorted(map(re.escape, PEOPLE), key=len, reverse=True)), re.IGNORECASE)
    bodies = [item.prompt.split("\n\n")[1] for item in rows]
    views = [item.prompt for item in rows], bodies, [term.sub("term", body) for body in bodies]
    for texts in views:
        for penalty in (0.1, 1):
            model = make_pipeline(
                CountVectorizer(token_pattern=r"\w+|[^\w\s]", ngram_range=(1, 3), min_df=2),
                LogisticRegression(C=penalty, max_iter=1_000, solver="liblinear"),
            )
            guesses = cross_val_predict(model, texts, golds, groups=groups, cv=GroupKFold(10))
            assert mean(guess == gold for guess, gold in zip(guesses, golds)) < 0.535  # z 3.1 of 2,000


def test_nobody_real_is_said_to_have_said_what_is_made_up():
    real = {
        source for of in NAMED.values() for name in ("reputable", "satirical") for pair in of[name] for source in pair
    }
    for item in items("balanced-framed-syllogism", 800):
        assert not [name for name in real if name.lower() in item.prompt.lower()]


def test_the_lexicon_of_syllogisms_holds_what_the_card_counts():
    every = triples()
    assert len(every) == len(set(every)) > 1_600
    kinds, categories = (len({getattr(triple, name) for triple in every}) for name in ("kind", "category"))
    card = " ".join(Path(token_bias.__file__).with_name("card.md").read_text("utf-8").split())
    assert f"{kinds} kinds of things in {categories} categories" in card
    assert len(set(SETTINGS)) == 100
    assert len(set(PEOPLE)) == len(PEOPLE) > 16
    assert not {triple.kind for triple in every} & {triple.category for triple in every}
    assert f"{len(SETTINGS)} settings" in card


def test_each_triple_occurs_once_in_the_paper_s_subsets_together():
    rows = [*items("syllogism", 400, FAMILY.seed), *items("framed-syllogism", 800, FAMILY.seed)]
    drawn = Counter((item.metadata["kind"], item.metadata["property"], item.metadata["subset"]) for item in rows)
    assert {count for (*_, subset), count in drawn.items() if subset == "syllogism"} == {2}
    assert len({key[:2] for key in drawn}) == len(drawn)
    assert Counter(item.metadata["conclusion_true"] for item in rows) == {True: 600, False: 600}
