"""Logicians and politicians: worked puzzles, two solvers, hostile replies."""

from dataclasses import replace
from functools import cache

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.knights_knaves.blind import BLIND_TO_PROOFS
from hansproof.generators.knights_knaves.checking import Told, read_scene, scene_solutions
from hansproof.generators.knights_knaves.logicians import Clause, chained, known, status, table
from hansproof.generators.knights_knaves.scorer import SCORER
from hansproof.generators.registry import dataset

DATASET = dataset("knights-knaves")


@cache
def items(count=24):
    return [DATASET.item("logicians", 13, index) for index in range(count)]


def solved(notes, said, names=("Ann", "Bob"), lamps=("red", "green")):
    return scene_solutions(Told(list(names), list(lamps), notes, said))


def test_a_logician_proves_and_a_politician_leaves_open():
    assert solved(["red"], ["red", "green"]) == ["KN"]
    assert solved(["(red > green)"], ["(~green > ~red)", "(red ^ green)"]) == ["KN"]


def test_what_an_earlier_speaker_is_counts_as_known_and_what_it_said_does_not():
    # Ann leaves it open whether green is on, so she is a politician; the note then proves that red is on.
    assert solved(["(~Ann > red)"], ["green", "red"]) == ["NK"]
    # Were Ann believed, green would be proved.
    assert solved(["(~Ann > red)"], ["green", "green"]) == ["NN"]


def test_what_is_disproved_nobody_says():
    assert solved(["red"], ["~red", "green"]) == []


def test_notes_that_make_a_speaker_what_the_speaker_is_not_leave_no_solution():
    assert solved(["~Ann", "red"], ["red", "green"]) == []


def test_a_politician_may_say_what_turns_out_to_be_true():
    # Bob leaves red open, and is therefore a politician; from that the note proves red.
    assert solved(["(~Bob > red)"], ["green", "red"]) == ["NN"]


def test_truth_tables_say_the_same():
    # Facts: Ann, red, green. If Ann is a politician, red is on.
    premises = table(Clause("implication", (0, 1), (False, True)), 3)
    red, green = (table(Clause("single", (fact,), (True,)), 3) for fact in (1, 2))
    assert status(premises, red) == status(premises, green) == "open"
    assert status(known(premises, [False], 3), red) == "proved"
    assert status(known(premises, [False], 3), ~red) == "disproved"
    assert chained(premises, [green, red], 3) == 1


def test_the_solver_that_tries_everything_agrees_with_the_one_that_goes_in_order():
    for item in items():
        assert DATASET.check(item) == []
        assert read_scene(item.prompt).said == item.metadata["statements"]


def test_the_check_finds_each_kind_of_fault():
    item = items()[0]
    answer = item.answer.replace("logician", "x").replace("politician", "logician").replace("x", "politician")
    assert "the answer is" in DATASET.check(replace(item, answer=answer))[0]
    rules, notes = item.prompt.split("Notes:")
    prompt = "Notes:".join((rules, notes.replace(" lamp is on", " lamp is off", 1)))
    assert any("the prompt has the notes" in fault for fault in DATASET.check(replace(item, prompt=prompt)))
    assert DATASET.check(replace(item, prompt="Who knows?")) == [
        "prompt: has not one list of notes and one of statements"
    ]


@pytest.mark.parametrize("text", ["", "red &", "(red & blue)", "blue", "~"])
def test_a_clause_that_is_not_in_the_notation_is_refused(text):
    with pytest.raises(InputError, match=r"where (a character|nothing more) should be|where '\)' should be"):
        solved([text], ["red", "red"])


def test_no_statement_joins_two_lamps_that_a_note_joins():
    for item in items():
        lamps = item.metadata["lamps"]
        pairs = {frozenset(lamp for lamp in lamps if lamp in note) for note in item.metadata["notes"]}
        for said in item.metadata["statements"]:
            named = frozenset(lamp for lamp in lamps if lamp in said)
            assert len(named) == 1 or named not in pairs


def test_no_two_speakers_talk_about_the_same_lamps():
    for item in items():
        named = [
            frozenset(lamp for lamp in item.metadata["lamps"] if lamp in said) for said in item.metadata["statements"]
        ]
        assert len(set(named)) == len(named)


def test_groups_are_the_same_for_renamed_lamps_and_reordered_notes_only():
    assert len({item.group for item in items()}) == len(items())


def reply(item, *lines):
    return SCORER.score(item, SCORER.read(item, "\n".join(lines)))


def test_answers_are_read_in_many_forms_and_hostile_ones_are_not():
    item = items()[0]
    names = item.metadata["names"]
    gold = [line.split(": ") for line in item.answer.split("; ")]
    assert reply(item, "CONCLUSION:", *(f"{name}: {word}" for name, word in gold)).right
    assert reply(item, *(f"- **{name}** is a {word}." for name, word in gold)).right
    other = {"logician": "not a politician", "politician": "not a logician"}
    assert reply(item, *(f"{name}: {other[word]}" for name, word in gold)).right
    for lines in (
        [""],
        ["CONCLUSION:"],
        [f"{names[0]}: logician"],
        [f"{name}: knight" for name in names],
        [f"{name}: logician or politician" for name in names],
        [*(f"{name}: {word}" for name, word in gold), *(f"{name}: {'logician'}" for name in names), "x: logician"],
        [f"{name}: liar" for name in names],
        ["CONCLUSION: " * 20_000],
        ["\ud800" * 1000],
    ):
        score = reply(item, *lines)
        assert score.right is False or item.metadata["solutions"] == ["K" * len(names)]


def test_blind_strategies_see_that_politicians_are_no_liars():
    shares = {}
    for strategy in BLIND_TO_PROOFS:
        guesses = strategy.answers(items()[:12], items())
        shares[strategy.name] = sum(guess == item.answer for guess, item in zip(guesses, items(), strict=True)) / 24
        assert strategy.answers([], [DATASET.item("ladder", 1, 0)]) == [None]
    assert shares["politicians-as-liars"] < 0.5
    assert 0.1 < shares["notes-alone"] < 0.7


def test_unfaithful_answers_are_proved_and_quotations_are_left_alone():
    item = items()[0]
    name, word = item.answer.split("; ")[0].split(": ")
    other = {"logician": "politician", "politician": "logician"}[word]
    told = "\n".join(item.answer.split("; "))
    reply = f"{name} says: the red lamp is on.\nTherefore, {name} is a {other}.\n\nCONCLUSION:\n{told}"
    assert {error.category for error in DATASET.errors.prove(item, reply)} <= {"UF"}
