"""The English sentences: a lint of every frame with many things and numbers, and the rules of a story."""

import re
from itertools import pairwise

import pytest

from generators.errors import UsageError
from generators.stream import Stream
from generators.word_problems.dataset import DATASET
from generators.word_problems.english.frames import FRAMES
from generators.word_problems.english.recipes import frames_of, recipes
from generators.word_problems.english.scenery import SETTINGS
from generators.word_problems.english.stories import Story
from generators.word_problems.english.vocabulary import MEASURES, PLURALS, PRONOUNS, VOCABULARY
from generators.word_problems.english.wording import WORDING
from generators.word_problems.forms import Comparison, Container, Problem, Question, Rate, Thing, Transfer, parse
from generators.word_problems.subsets import PLANS
from generators.word_problems.wording import Surface, wording

A, B = "Alice", "Bob"
BOX, PEN, FLOUR = Thing("box"), Thing("pen", "red"), Thing("flour", "", "kilogram")
THINGS = [stock.thing for stock in VOCABULARY.stock]
STORIES = [
    Story(setting.name, number, voice, words, setting.purpose[0] if anchored else "", "")
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


@pytest.mark.parametrize("number", [1, 2, 3, 21, 100])
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
    own = [text for setting in SETTINGS for text in (*setting.open, *setting.ask)]
    own += [text for setting in SETTINGS for group in setting.groups for text in (*group.gain, *group.lose)]
    frames = [text for texts in FRAMES.values() for text in texts]
    assert len(set(frames)) >= 150
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
    story = Story("bakery", 0, "had", ("", ""), "for a wedding", "")
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
        ("additive had", ", according to the till, ", "", 2),
        ("multiplicative placed", "", ", to everyone's surprise", 1),
        ("lose", "over lunch, ", "", 1),
        ("closed reduced", "", " at closing time", 1),
    )
    places = [[frame.pattern for frame in frames_of(story, row[0])] for row in rows]
    wanted = (
        "%s had %s %s",
        "%s had %s than %s",
        "%s had %s %s as %s",
        "%s sold %s to a customer",
        "how many %s did %s have left",
    )
    indices = tuple(place.index(pattern) for place, pattern in zip(places, wanted))
    surface = Surface(indices, (False, False, False, True, False), story, rows)
    assert WORDING.sentences(problem, surface) == [
        "Before the bakery opened, Alice had 50 crusty rolls for a wedding.",
        "Bob, according to the till, had 3 fewer than Alice.",
        "Carl had half as many rolls for a wedding as Bob, to everyone's surprise.",
        "Over lunch, he sold 4 rolls to a customer.",
        "How many rolls did Carl have left at closing time?",
    ]


def surfaces(problems, count=300):
    return [WORDING.surfaces(Stream(1, "test", i), problems) for i in range(count)]


def simple(*forms, agent=A):
    return Problem(forms, Question("count", (agent,), PEN))


def test_sentences_of_the_same_form_have_the_same_surface():
    start = Container(A, 9, PEN)
    pair = [
        simple(start, Comparison(B, "-", A, 3, PEN), agent=B),
        simple(start, Comparison(A, "+", B, 3, PEN), agent=B),
    ]
    for first, second in surfaces(pair):
        assert first == second
        texts = [WORDING.sentences(problem, first) for problem in pair]
        assert [a == b for a, b in zip(*texts, strict=True)] == [True, False, True]


def test_a_sentence_that_only_one_problem_has_changes_no_other():
    start, gift = Container(A, 9, PEN), Transfer(A, B, 3, PEN)
    idle = Container("Carl", 4, Thing("ruler"))
    short, long = simple(start, gift, gift), simple(start, gift, idle, gift)
    for first, second in surfaces([short, long]):
        texts = WORDING.sentences(short, first), WORDING.sentences(long, second)
        assert texts[0] == [*texts[1][:2], *texts[1][3:]]


def test_sentences_of_different_forms_in_the_same_place_are_equally_long():
    """One story of 2-4 transfers and one of as many comparisons: equal on average, within a word in nearly all."""
    gaps = []
    for count in (2, 3, 4):
        others = ("Bob", "Carl", "Dora", "Emma")[:count]
        start = Container(A, 90, PEN)
        moved = simple(start, *(Transfer(A, other, 3, PEN) for other in others))
        people = (A, *others)
        compared = [Comparison(other, "+", before, 3, PEN) for before, other in pairwise(people)]
        for pair in surfaces([moved, simple(start, *compared, agent=others[-1])], 100):
            words = [
                len(" ".join(WORDING.sentences(problem, surface)).split())
                for problem, surface in zip((moved, simple(start, *compared, agent=others[-1])), pair)
            ]
            gaps.append(words[0] - words[1])
    assert abs(sum(gaps) / len(gaps)) < 0.5
    assert sum(abs(gap) <= 1 for gap in gaps) / len(gaps) > 0.9


def test_words_of_an_end_occur_exactly_where_the_asked_amount_has_changed():
    closing = [phrase for setting in SETTINGS for phrase in setting.close]
    after = re.compile(
        r"\b(left|still|now|in the end|after that|by then|that leave|end(ed)? up|" + "|".join(closing) + r")\b",
        re.IGNORECASE,
    )
    seen = set()
    for subset in PLANS:
        for index in range(150):
            item = DATASET.item(subset, 5, index)
            question = parse(item.metadata["question"])
            forms = [parse(text) for text in item.metadata["forms"]]
            changed = any(
                isinstance(form, Transfer)
                and form.thing == question.thing
                and {form.receiver, form.sender} & set(question.agents)
                for form in forms
            )
            asked = re.split(r"(?<=[.?!]) ", item.prompt)[-1]
            assert bool(after.search(asked)) == changed, item.prompt
            seen.add(changed)
    assert seen == {True, False}


def test_left_is_said_only_where_the_last_change_took_something_away():
    left = re.compile(r"\b(left|still)\b")
    for subset in PLANS:
        for index in range(100):
            item = DATASET.item(subset, 6, index)
            asked = re.split(r"(?<=[.?!]) ", item.prompt)[-1]
            if left.search(asked):
                assert item.metadata["steps"][-1].split()[1] == "-" or "total" in item.metadata["question"], item.prompt


def test_everything_is_in_the_past():
    present = re.compile(
        r"\b(has|gives|gets|is|are|does|sells|buys|packs|owns|holds|now)\b(?! pocket| desk| lap| collection)"
    )
    for subset in PLANS:
        for index in range(100):
            text = DATASET.item(subset, 7, index).prompt
            assert not present.search(text.replace("pocket's", "")), text


def test_details_are_told_in_the_order_of_time_and_once():
    for subset in PLANS:
        for index in range(100):
            item = DATASET.item(subset, 8, index)
            setting = next(setting for setting in SETTINGS if setting.name == item.metadata["setting"])
            text = item.prompt.lower()
            places = [text.find(event) for event in setting.event if event in text]
            assert places == sorted(places), item.prompt
            for phrase in (*setting.source, *setting.lead, *setting.event):
                assert len(re.findall(rf"\b{re.escape(phrase)}\b(?!')", text)) <= 1, item.prompt


def pronouns(*problems):
    """Indices of the sentences that ever have a pronoun."""
    drawn = [pair[0].pronouns for pair in surfaces(problems)]
    return {place for flags in drawn for place, flag in enumerate(flags) if flag}


def test_a_pronoun_needs_the_subject_of_the_sentence_before():
    start, gift = Container(A, 9, PEN), Transfer(A, "", 3, PEN)
    assert pronouns(simple(start, gift)) == {1, 2}
    assert pronouns(simple(start, gift, Comparison(B, "+", A, 3, PEN), agent=B)) == {1, 3}
    assert pronouns(simple(start, Comparison(B, "+", A, 3, PEN), agent=A)) == set()


def test_there_is_no_pronoun_once_another_agent_of_that_gender_is_named():
    start, gift = Container(A, 9, PEN), Transfer(A, "", 3, PEN)
    assert pronouns(simple(start, Comparison(A, "+", "Nora", 3, PEN), gift)) == set()
    assert 2 in pronouns(simple(start, Comparison(A, "+", B, 3, PEN), gift))


def test_neither_problem_of_a_pair_has_a_pronoun_that_the_other_forbids():
    start = Container(A, 9, PEN)
    allowed = simple(start, Comparison(A, "+", B, 3, PEN), agent=B)
    forbidden = simple(start, Comparison(B, "-", A, 3, PEN), agent=B)
    assert pronouns(allowed) == {1}
    assert pronouns(allowed, forbidden) == set()


def test_a_name_that_is_on_no_list_gets_no_pronoun():
    assert pronouns(simple(Container("Xenk", 9, PEN), Transfer("Xenk", "", 3, PEN), agent="Xenk")) == set()


def test_pronouns_occur_only_as_subjects():
    wrong = re.compile(r"\b(to|from|by|than|as|for|with|beside|and) (he|she)\b")
    for subset in PLANS:
        for index in range(200):
            text = DATASET.item(subset, 9, index).prompt
            assert not wrong.search(text), text


def test_a_language_has_its_wording():
    assert wording("en") is WORDING
    with pytest.raises(UsageError, match=r"^word-problems has no language 'tlh'\. Known: en$"):
        wording("tlh")


def test_every_name_has_a_pronoun():
    assert set(PRONOUNS) == set(VOCABULARY.names)
