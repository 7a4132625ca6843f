"""The English frames: a lint of every frame in every setting, with many things and numbers."""

import re

import pytest
from slow_part import slow_but

from hansproof.generators.word_problems.english.recipes import GIVE, INTRODUCE, RECEIVE, book_of
from hansproof.generators.word_problems.english.vocabulary import MEASURES, PLURALS, SETTINGS, VOCABULARY
from hansproof.generators.word_problems.english.wording import FULL, Row, Story, written
from hansproof.generators.word_problems.forms import Comparison, Container, Question, Thing, Transfer

A, B = "Alice", "Bob"
PEN, FLOUR = Thing("pen", "red"), Thing("flour", "", "kilogram")
THINGS = [stock.thing for stock in VOCABULARY.stock]
STORIES = [
    Story(
        setting, words, setting.at if anchored else "", setting.mates[0], book_of(setting.name, number, voice, anchored)
    )
    for setting in SETTINGS
    for number, group in enumerate(setting.groups)
    for anchored in (True, False)
    for voice, words in (("had", ("", "")), ("did", group.did[0]))
]
PLURAL_WORDS = {plural.split()[-1] for plural in PLURALS.values()} - {noun.split()[-1] for noun in PLURALS}
SINGULAR_WORDS = {noun.split()[-1] for noun in PLURALS} - {plural.split()[-1] for plural in PLURALS.values()}


_MEASURES = "|".join(f"{unit}s?" for unit in MEASURES)
RULES = {
    "spaces": r"  |^ | $",
    "unresolved": r"[{}%_^]|None",
    "small letter": r"^[^A-Z]",
    "signs or ending": r"[^A-Za-z0-9',\- .?]|[^.?]$|[.?].",
    "article": r"\ba [aeio]|\ban [^aeiou]",
    "a word twice": r"\b(\w+) \1\b",
    "many with a singular": rf"\b(?!1 )\d+ ({'|'.join(sorted(SINGULAR_WORDS))})\b(?! [a-z]+s\b)",
    "1 with a plural": rf"\b1 ({'|'.join(sorted(PLURAL_WORDS))})\b",
    "fewer of what is measured": rf"\bfewer ({_MEASURES})\b|\b({_MEASURES}) fewer\b",
    "less of what is counted": rf"\b(?!({_MEASURES}) less)\w+ less\b",
}
COMPILED = {reason: re.compile(rule) for reason, rule in RULES.items()}


def faults(sentence):
    """Faults of a sentence, by rules that do not know how it was made."""
    return [reason for reason, rule in COMPILED.items() if rule.search(sentence)]


def forms_of(thing, number):
    """(kind, form) of every kind of sentence with one thing."""
    yield "start", Container(A, number, thing)
    yield "other", Container(A, number, thing)
    for relation in "+-":
        yield "additive", Comparison(B, relation, A, number, thing)
    if 1 < number <= 6:  # no design has another factor
        for relation in "*/":
            yield "multiplicative", Comparison(B, relation, A, number, thing)
    yield "moving", Transfer(A, B, number, thing)
    yield "gain", Transfer(A, "", number, thing)
    yield "lose", Transfer("", A, number, thing)
    for kind in ("count", "changed", "reduced", "either"):
        yield kind, Question("count", (A,), thing)
    for kind in ("total", "difference", "total changed", "difference changed"):
        yield kind, Question(kind.split()[0], (A, B), thing)


def told(story, kind, form):
    """Every sentence that says the form in a story, with each frame and with one detail of each sort."""
    for recipe in story.book.recipes(kind, GIVE + RECEIVE + INTRODUCE):
        sorts = {(bool(detail.before), bool(detail.after)): detail for detail in recipe.details}
        for detail in sorts.values():
            for frame in recipe.plain if detail.before else recipe.frames:
                yield written(form, story, Row(frame, detail, FULL, False))


@pytest.mark.parametrize("number", slow_but([2, 3, 21, 100], 2))
def test_every_frame_fits_every_setting_and_number(number):
    bad = []
    for at, story in enumerate(STORIES):
        thing = (PEN, FLOUR, Thing("bread", "", "loaf"), THINGS[(at * 7 + number) % len(THINGS)])[(at + number) % 4]
        for kind, form in forms_of(thing, number):
            for sentence in told(story, kind, form):
                bad += [(sentence, fault) for fault in faults(sentence)]
                digits = re.findall(r"\d+", sentence)
                wordy = isinstance(form, Question) or (isinstance(form, Comparison) and form.relation in "*/")
                assert digits in ([[str(number)], []] if wordy else [[str(number)]]), sentence
    assert bad == []


def test_every_thing_fits_every_form():
    bad = []
    for thing in THINGS:
        for kind, form in forms_of(thing, 2):
            sentence = next(told(STORIES[0], kind, form))
            bad += [(sentence, fault) for fault in faults(sentence)]
    assert bad == []


def test_the_lint_detects_each_fault():
    assert faults("Ann had 1 watches.") == []  # no watches in the vocabulary
    assert faults("Ann had 1 rolls.") == ["1 with a plural"]
    assert faults("Ann had 2 mask.") == ["many with a singular"]
    assert faults("Ann had  {N}") == ["spaces", "unresolved", "signs or ending"]
    assert faults("ann had a eighth as many.") == ["small letter", "article"]
    assert faults("Ann had 3 fewer kilograms of flour than Bob.") == ["fewer of what is measured"]
    assert faults("Ann had 3 rolls less than Bob.") == ["less of what is counted"]
    assert faults("Ann had 3 kilograms less flour than Bob.") == []
    assert faults("Ann had had 3.") == ["a word twice"]


@pytest.mark.parametrize(("first", "second"), [("+", "-"), ("*", "/")])
def test_converse_relations_differ_only_in_the_keyword(first, second):
    keywords = {"more": "KEY", "fewer": "KEY", "three times": "KEY", "a third": "KEY"}
    kind = "additive" if first == "+" else "multiplicative"
    for story in STORIES[:12]:
        pairs = zip(
            *(told(story, kind, Comparison(B, relation, A, 3, PEN)) for relation in (first, second)), strict=True
        )
        for pair in pairs:
            assert pair[0] != pair[1]
            masked = list(pair)
            for word, key in keywords.items():
                masked = [re.sub(rf"\b{word}\b", key, sentence) for sentence in masked]
            assert masked[0] == masked[1]


def test_comparing_words_occur_only_in_comparisons():
    comparing = re.compile(r"\b(more|fewer|less|times|twice|half|than|third)\b")
    for story in STORIES:
        for kind, form in forms_of(PEN, 3):
            for sentence in told(story, kind, form):
                compares = isinstance(form, Comparison) or kind.startswith("difference")
                assert bool(comparing.search(sentence)) == compares, sentence


@pytest.mark.parametrize(
    ("form", "pattern", "sentence"),
    [
        (
            Comparison(B, "-", A, 3, PEN),
            "{A} had {M} than {own} {mate} {B}",
            "Bob had 3 fewer red pens than his friend Alice.",
        ),
        (Comparison(B, "/", A, 2, PEN), "{A} had {M} as {B} did", "Bob had half as many red pens as Alice did."),
        (Transfer("", A, 4, PEN), "{A} gave {N} to a friend", None),
        (
            Question("total", (A, B), PEN),
            "how many {ns} did {A} and {B} have in all",
            "How many red pens did Alice and Bob have in all?",
        ),
    ],
)
def test_worked_sentences(form, pattern, sentence):
    story = next(story for story in STORIES if story.setting.name == "jumble")._replace(mate="friend")
    kind = {Comparison: "multiplicative" if "as {B}" in pattern else "additive", Transfer: "lose"}.get(
        type(form), "total"
    )
    made = {*told(story, kind, form)}
    assert sentence in made or (sentence is None and any("4 red pens" in each for each in made))


def test_what_stands_for_no_number_is_some():
    story = STORIES[0]
    assert all("some red pens" in sentence for sentence in told(story, "moving", Transfer(A, B, None, PEN)))
