"""The statement notation: worked truth values, round trips, truth tables against evaluation world by world."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notated import notation

from hansproof.generators.errors import InputError
from hansproof.generators.knights_knaves.formula import (
    Both,
    Formula,
    Knight,
    Not,
    Says,
    constraint_table,
    holds,
    letter,
    mentioned,
    parse,
    solutions,
    table,
)

ABC = ("A", "B", "C")


def formulas(n: int) -> st.SearchStrategy[Formula]:
    who = st.integers(0, n - 1)
    return st.recursive(
        who.map(Knight),
        lambda inner: (
            inner.map(Not) | st.builds(Both, st.sampled_from("&|^>="), inner, inner) | st.builds(Says, who, inner)
        ),
        max_leaves=6,
    )


@pytest.mark.parametrize(
    ("text", "true_in"),
    [
        ("A", {"KKK", "KKN", "KNK", "KNN"}),
        ("~B", {"KNK", "KNN", "NNK", "NNN"}),
        ("(A & ~C)", {"KKN", "KNN"}),
        ("(A > ~C)", {"KKN", "KNN", "NKK", "NKN", "NNK", "NNN"}),
        ("(A = B)", {"KKK", "KKN", "NNK", "NNN"}),
        ("(A | B)", {"KKK", "KKN", "KNK", "KNN", "NKK", "NKN"}),
        ("(A ^ B)", {"KNK", "KNN", "NKK", "NKN"}),
        ("B:(~C)", {"KKN", "NKN", "KNK", "NNK"}),
        ("B:C", {"KKK", "NKK", "KNN", "NNN"}),
        (" ( (A&B)>~ (C) ) ", {"KKN", "KNK", "KNN", "NKK", "NKN", "NNK", "NNN"}),
    ],
)
def test_a_statement_is_true_in_exactly_these_worlds(text: str, true_in: set[str]) -> None:
    formula = parse(text, ABC)
    worlds = ["".join(world) for world in product("KN", repeat=3)]
    assert {world for world in worlds if holds(formula, [kind == "K" for kind in world])} == true_in


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "character 1 is the end, where a character should be"),
        ("D", "character 1 is 'D', where a character"),
        ("A B", "character 3 is 'B', where nothing more"),
        ("(A & B", r"character 7 is the end, where '\)'"),
        ("(A & B | C)", r"character 8 is '\|', where '\)'"),
        ("A & B", "character 3 is '&', where nothing more"),
        ("#1(A)", "character 1 is '#', where a character"),
        ("a", "character 1 is 'a'"),
        ("A;B", "character 2 is ';', where nothing more"),
        ("~" * 100_000 + "A", "nested deeper than 50 levels"),
        ("(" * 100_000, "nested deeper than 50 levels"),
    ],
)
def test_what_is_not_of_the_notation_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(text, ABC)


def test_letters_go_on_after_z_as_in_a_spreadsheet() -> None:
    assert [letter(i) for i in (0, 25, 26, 27, 51, 52, 701, 702)] == ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
    assert parse("AB", [f"name{i}" for i in range(30)]) == Knight(27)


def test_a_character_may_be_called_by_letter_or_by_name() -> None:
    assert parse("(Zoe & A)", ["Abe", "Zoe"]) == Both("&", Knight(1), Knight(0))


@given(formulas(4))
def test_the_truth_table_agrees_with_evaluation_in_every_world(formula: Formula) -> None:
    bits = table(formula, 4)
    for world in range(16):
        assert (bits >> world & 1) == holds(formula, [bool(world >> i & 1) for i in range(4)])


@given(formulas(4), st.integers(0, 3))
def test_a_constraint_says_knight_exactly_if_the_statement_is_true(formula: Formula, speaker: int) -> None:
    bits = constraint_table(speaker, formula, 4)
    for world in range(16):
        knights = [bool(world >> i & 1) for i in range(4)]
        assert (bits >> world & 1) == (knights[speaker] == holds(formula, knights))


@given(formulas(5))
def test_the_notation_is_read_back_as_it_was_written(formula: Formula) -> None:
    assert parse(notation(formula), "ABCDE") == formula


@given(formulas(4))
def test_a_character_that_is_not_mentioned_changes_nothing(formula: Formula) -> None:
    silent = set(range(4)) - set(mentioned(formula))
    for world in product([True, False], repeat=4):
        for character in silent:
            other = [not truth if i == character else truth for i, truth in enumerate(world)]
            assert holds(formula, world) == holds(formula, other)


@given(st.lists(formulas(3), min_size=3, max_size=3))
def test_solutions_are_those_of_brute_force(statements: list[Formula]) -> None:
    worlds = ["".join(world) for world in product("KN", repeat=3)]
    fit = [w for w in worlds if all((w[i] == "K") == holds(s, [c == "K" for c in w]) for i, s in enumerate(statements))]
    assert solutions(statements) == sorted(fit)


def test_smullyans_two_islanders_have_one_solution() -> None:
    # A: "at least one of us is a knave". Were A a knave, that would be true; so A is a knight and B a knave.
    assert solutions([parse("(~A | ~B)", "AB"), parse("B", "AB")]) == ["KN"]


def test_i_am_a_knave_has_no_solution_and_i_am_a_knight_has_two() -> None:
    assert solutions([Not(Knight(0))]) == []
    assert solutions([Knight(0)]) == ["K", "N"]


def test_a_table_of_seventeen_characters_is_refused() -> None:
    with pytest.raises(InputError, match="go up to 16 characters, not 17"):
        table(Knight(0), 17)
    with pytest.raises(InputError, match="go up to 16"):
        solutions([Knight(0)] * 40)
