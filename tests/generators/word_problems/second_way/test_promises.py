"""What the design promises of texts, measured on prompts: quantities, digits, last digits, pronouns, phrases, tense."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache

import pytest
from scipy.stats import chi2_contingency
from told_stories.plain_reader import ENDING, ENGLISH, NAMES, bare, read, sentences, stem

from hansproof.generators.word_problems.dataset import DATASET, PLANS

SEED = 47
BALANCED = ("counterbalanced-additive", "counterbalanced-multiplicative", "carry")
PAST = [name for name in PLANS if name != "plain"]
NOUN = re.compile(r"([^0-9/:]+?)(?:/([a-z ]+?))?(?: of ([a-z ]+?))? (?:(\d+)-)?(\d+)(?:: .+)?")


@cache
def items(subset, count=300):
    return [DATASET.item(subset, SEED, index) for index in range(count)]


@cache
def stocks(setting):
    """(words of the noun, fewest, most) of every noun of a setting, by a plain reading of its file."""
    text = (ENGLISH / "settings" / f"{setting}.txt").read_text("utf-8")
    lines = [line for line in text.split("group:", 1)[1].splitlines() if not re.match(r"[a-z]+: |^ ", line)]
    matches = [match for line in lines if (match := NOUN.fullmatch(line))]
    return [
        (f"{noun} of {match[3]}" if match[3] else noun, int(match[4] or 2), int(match[5]))
        for match in matches
        for noun in match.group(1, 2)
        if noun
    ]


@pytest.mark.parametrize("subset", [name for name in PAST if name != "unanswerable"])
def test_nobody_has_more_or_less_of_a_thing_than_people_have(subset):
    checked = 0
    for item in items(subset):
        told = read(item.prompt)
        words = {stem(word) for word in told.things[0].split()}
        fits = [
            (fewest, most)
            for noun, fewest, most in stocks(item.metadata["setting"])
            if {stem(word) for word in noun.split()} <= words
        ]
        assert fits, (told.things, item.metadata["setting"])
        low, high = min(fewest for fewest, _ in fits), max(most for _, most in fits)
        assert all(max(low, 2) <= amount <= high for amount in told.amounts), (item.prompt, fits)
        checked += 1
    assert checked > 100


@pytest.mark.parametrize("subset", PLANS)
def test_nothing_is_below_two(subset):
    for item in items(subset):
        told = read(item.prompt)
        assert min(told.numbers) >= 2, item.prompt
        if subset != "unanswerable":  # there a story may have any number
            assert min(min(a, b, c) for a, _, b, c in told.worked) >= 2, item.prompt


@pytest.mark.parametrize("subset", BALANCED)
def test_neither_pronouns_nor_the_place_of_names_nor_the_question_tell_the_operation(subset):
    rows = items(subset, 1200)
    cues = {
        "pronouns": lambda item: len(re.findall(r"\b(?:he|she|him|his|her)\b", item.prompt, re.IGNORECASE)),
        "left": lambda item: bool(re.search(r"\b(left|still)\b", sentences(item.prompt)[-1])),
        "in the end": lambda item: bool(re.search(r"\b(end|after that)\b", sentences(item.prompt)[-1])),
        "asked last": lambda item: asked_place(item),
        "sentences": lambda item: len(sentences(item.prompt)),
    }
    for name, cue in cues.items():
        table = defaultdict(Counter)
        for item in rows:
            table[item.metadata["operation"]][min(cue(item), 6)] += 1
        levels = [
            level for level in sorted(set().union(*table.values())) if sum(row[level] for row in table.values()) > 20
        ]
        if len(levels) > 1:
            counts = [[row[level] for level in levels] for row in table.values()]
            assert chi2_contingency(counts, correction=False).pvalue > 0.0005, name


def asked_place(item):
    """Whether whoever is asked about is named last of all in the sentence before the question."""
    told = [bare(word) for word in re.findall(r"[A-Za-z']+", sentences(item.prompt)[-2]) if bare(word) in NAMES]
    return told[-1:] == [item.metadata["question"][6:].partition(",")[0]]


@pytest.mark.parametrize("subset", PAST)
def test_the_question_speaks_of_a_change_only_where_the_amount_of_whom_it_asks_about_changed(subset):
    for item in items(subset):
        asked = sentences(item.prompt.removesuffix(ENDING))[-1]
        who = "|".join(re.findall(r"\b[A-Z]\w+", item.metadata["question"]))
        moves = [form for form in item.metadata["forms"] if form.startswith("transfer(")]
        if re.search(r"\b(in the end|end(ed)? up|after that)\b", asked):
            assert any(re.search(rf"\b({who})\b", form) for form in moves), item.prompt
        if re.search(r"\b(left|still)\b", asked):
            assert any(re.match(rf"transfer\([^,]+, ({who}),", form) for form in moves), item.prompt
        assert not re.search(r"\bnow\b", item.prompt)


@pytest.mark.parametrize("subset", PAST)
def test_everything_is_told_in_the_past(subset):
    present = re.compile(r"\b(has|is|are|does|gives|gets|buys|sells|holds|needs|takes|owns|keeps)\b")
    for item in items(subset):
        told = [sentence for sentence in sentences(item.prompt.removesuffix(ENDING)) if present.search(sentence)]
        assert told == [], item.prompt
