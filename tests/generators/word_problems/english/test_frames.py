"""The English frames: a lint of every frame in every setting, with many things and numbers."""

import re

import pytest
from slow_part import slow_but

from hansproof.generators.word_problems.english.recipes import frames_of, recipes
from hansproof.generators.word_problems.english.sentences import FRAMES
from hansproof.generators.word_problems.english.stories import Story
from hansproof.generators.word_problems.english.vocabulary import MEASURES, PLURALS, SETTINGS, VOCABULARY
from hansproof.generators.word_problems.english.wording import WORDING
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Problem,
    Question,
    Rate,
    Surface,
    Thing,
    Transfer,
)

A, B = "Alice", "Bob"
BOX, PEN, FLOUR = Thing("box"), Thing("pen", "red"), Thing("flour", "", "kilogram")
THINGS = [stock.thing for stock in VOCABULARY.stock]
STORIES = [
    Story(setting.name, number, voice, words, setting.at if anchored else "", setting.mates[0], "")
    for setting in SETTINGS
    for number, group in enumerate(setting.groups)
    for anchored in (True, False)
    for voice, words in (("had", ("", "")), ("did", group.did[0]), ("spot", setting.spot[0]))
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
    yield "also", Container(A, number, thing)
    for relation in "+-":
        yield "additive", Comparison(B, relation, A, number, thing)
    if number > 1:
        for relation in "*/":
            yield "multiplicative", Comparison(B, relation, A, number, thing)
    yield "moving", Transfer(A, B, number, thing)
    yield "gain", Transfer(A, "", number, thing)
    yield "lose", Transfer("", A, number, thing)
    yield "multiplying", Rate(A, number, thing, BOX)
    yield "dividing", Rate(A, number, thing, BOX)
    for kind in ("count", "count holders", "filled", "changed", "reduced"):
        yield kind, Question("count", (A,), thing)
    for kind in ("total", "difference", "total changed", "difference changed"):
        yield kind, Question(kind.split()[0], (A, B), thing)


def told(story, kind, form):
    """Every sentence that says the form in a story, with each frame and with one detail of each sort."""
    for recipe in recipes(story, kind):
        sorts = {detail.place: detail for detail in recipe.details}
        for place, detail in sorts.items():
            for index, _ in recipe.frames[place]:
                last = (recipe.kind, detail.before, detail.after, 0)
                if isinstance(form, Question):
                    yield WORDING.sentences(Problem((), form), Surface((index,), (False,), story, (last,)))[0]
                else:
                    rest = ("count", "", "", 0)
                    problem = Problem((form,), Question("count", (A,), form.thing))
                    yield WORDING.sentences(problem, Surface((index, 0), (False, False), story, (last, rest)))[0]


@pytest.mark.parametrize("number", slow_but([1, 2, 3, 21, 100], 1))
def test_every_frame_fits_every_setting_and_number(number):
    bad = []
    for at, story in enumerate(STORIES):
        thing = (PEN, FLOUR, Thing("bread", "", "loaf"), THINGS[(at * 7 + number) % len(THINGS)])[(at + number) % 4]
        for kind, form in forms_of(thing, number):
            for sentence in told(story, kind, form):
                bad += [(sentence, fault) for fault in faults(sentence)]
                digits = re.findall(r"\d+", sentence)
                wordy = isinstance(form, Question | Rate) or (isinstance(form, Comparison) and form.relation in "*/")
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


def test_there_are_250_plain_frames():
    own = [text for setting in SETTINGS for text in setting.open]
    own += [text for setting in SETTINGS for group in setting.groups for text in (*group.gain, *group.lose)]
    frames = [text for texts in FRAMES.values() for text in texts]
    assert len(set(frames)) >= 130
    assert len({*frames, *own}) >= 550
    stilted = re.compile(r"possession|number of|the owner of|{q} {n} {more}|has been|We know")
    assert not [text for text in {*frames, *own} if stilted.search(text)]


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


def test_rates_that_divide_say_that_everything_is_packed():
    for kind, divides in (("dividing", True), ("multiplying", False)):
        for sentence in told(STORIES[0], kind, Rate(A, 4, PEN, BOX)):
            packed = re.search(r"\ball( of)? (her|Alice's) red pens\b", sentence, re.IGNORECASE)
            assert bool(packed) == divides, sentence
            assert "four" in sentence


def test_worked_sentences():
    story = Story("bakery", 0, "had", ("", ""), "at the bakery", "colleague", "")
    roll = Thing("roll", "crusty")
    problem = Problem(
        (
            Container(A, 50, roll),
            Comparison(B, "-", A, 3, roll),
            Comparison("Carl", "/", B, 2, roll),
            Transfer("", "Carl", 4, roll),
        ),
        Question("count", ("Carl",), roll),
    )  # fmt: skip
    rows = (
        ("start", "before the bakery opened, ", "", 0),
        ("additive had", "as it happened, ", "", 2),
        ("multiplicative had", "", ", to everyone's surprise", 1),
        ("lose", "over lunch, ", "", 1),
        ("closed reduced", "", " at closing time", 1),
    )
    places = [[frame.pattern for frame in frames_of(story, row[0])] for row in rows]
    wanted = (
        "%s had %s %s",
        "%s had %s than %s",
        "%s had %s as %s",
        "%s sold %s to a customer",
        "how many %s did %s have left",
    )
    indices = tuple(place.index(pattern) for place, pattern in zip(places, wanted))
    surface = Surface(indices, (False, False, False, True, False), story, rows)
    assert WORDING.sentences(problem, surface) == [
        "Before the bakery opened, Alice had 50 crusty rolls at the bakery.",
        "As it happened, Bob had 3 fewer than Alice.",
        "Carl had half as many rolls as Bob, to everyone's surprise.",
        "Over lunch, he sold 4 rolls to a customer.",
        "How many rolls did Carl have left at closing time?",
    ]
