"""Races of n^2 animals: the proof, a search of all ways to race, and what the prompts say."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, groupby, pairwise, permutations

import pytest
from slow_part import slow_but

from hansproof.generators.registry import dataset
from hansproof.generators.token_bias.horses import check, fewest_races, races

FAMILY = dataset("token-bias")


def items(subset, count=200, seed=4):
    return [FAMILY.item(subset, seed, index) for index in range(count)]


@pytest.mark.parametrize(("lanes", "top"), [(2, 2), (3, 2)])
def test_a_search_of_all_ways_to_race_finds_n_plus_2(lanes, top):
    assert fewest_by_search(lanes**2, lanes, top, most=lanes + 3) == lanes + 2 == races(lanes, top, timed=False)


def test_the_fastest_alone_takes_n_plus_1_and_three_of_nine_take_n_plus_3():
    assert fewest_by_search(4, 2, 1, most=5) == 3
    assert fewest_by_search(9, 3, 1, most=5) == 4
    assert fewest_by_search(9, 3, 3, most=6) == 6
    with pytest.raises(ValueError, match="no proof that 5 races find the fastest 3 of 9"):
        races(3, 3, timed=False)


@pytest.mark.parametrize("lanes", range(4, 21))
def test_counting_who_is_left_gives_the_same_number(lanes):
    for top in (top for top in (2, 3, 4, 5) if top * (top + 1) // 2 - 1 <= lanes):
        assert fewest_races(lanes, top, timed=False) == races(lanes, top, timed=False) == lanes + 2
        assert fewest_races(lanes, top, timed=True) == races(lanes, top, timed=True) == lanes


def test_twenty_five_horses_take_seven_races():
    original = FAMILY.item("horses", 1, 3)
    assert original.condition == "original"
    assert (original.metadata["animals"], original.metadata["lanes"], original.answer) == ("horses", 5, "7")
    assert " 25 horses" in original.prompt


@pytest.mark.parametrize("subset", ["horses", "balanced-horses"])
def test_the_prompt_leads_to_the_gold_answer_and_to_no_other(subset):
    for item in items(subset):
        assert check(item) == []
        for other in item.choices or (str(int(item.answer) + 1),):
            assert other == item.answer or check(replace(item, answer=other))


def test_a_pair_differs_in_the_animals_the_numbers_or_both():
    for _, group in groupby(items("horses"), lambda item: item.group):
        both, numbers, animal, original = (item.prompt for item in group)
        assert [item.condition for item in items("horses", 4)] == ["both", "numbers", "animal", "original"]
        other = re.search(r"25 ([a-z]+(?: pigs)?)", animal)[1]
        assert animal == original.replace("horses", other)
        assert both == numbers.replace("horses", other)
        assert re.sub("[0-9]+", "#", original) == re.sub("[0-9]+", "#", numbers)
        assert original != numbers


def test_in_the_balanced_set_only_which_device_works_decides():
    rows = items("balanced-horses", 2_000, FAMILY.seed)
    for _, group in groupby(rows, lambda item: item.group):
        named = {item.condition: item for item in group}
        untimed, timed = named["untimed"], named["timed"]
        swapped = timed.prompt.replace("broken", "#").replace("working", "broken").replace("#", "working")
        assert swapped == untimed.prompt
        more, fewer = (
            int(re.search(rf"\n{re.escape(item.answer)} (\d+)", item.prompt)[1]) for item in (untimed, timed)
        )
        assert (more, fewer) == (untimed.metadata["lanes"] + 2, timed.metadata["lanes"])
    first = Counter((item.metadata["stopwatch_first"], item.metadata["timed"]) for item in rows)
    assert all(count > 400 for count in first.values())
    assert {item.metadata["top"] for item in rows} == {2, 3, 4, 5}
    assert 900 < sum(item.answer == "(a)" for item in rows) < 1_100
    assert len({item.prompt for item in rows}) == 2_000


@pytest.mark.parametrize(("lanes", "top"), slow_but([(4, 2), (5, 2), (4, 3), (5, 3)], (4, 2), (4, 3)))
def test_no_way_to_race_needs_fewer_than_n_plus_2_races_against_the_finish_of_the_proof(lanes, top):
    assert not _beats_the_proof((lanes**2, ()), lanes, top, lanes + 1)


def test_the_same_search_finds_the_races_where_they_are_enough():
    assert _beats_the_proof((9, ()), 3, 2, 5)
    assert not _beats_the_proof((9, ()), 3, 2, 4)


@cache
def _beats_the_proof(state, lanes, top, races):
    """Whether so many races are enough if unbeaten animals finish first, in an order that gives nothing away."""
    fresh, above = state
    if fresh + len(above) == top:
        return True
    if races == 0:
        return False
    return any(
        all(_beats_the_proof(after, lanes, top, races - 1) for after in _outcomes(state, new, ran, top, proof=True))
        for new in range(min(fresh, lanes), -1, -1)
        for ran in _choices(above, min(lanes - new, len(above)), _most_wasted(state, new, lanes, top, races))
    )


def _most_wasted(state, new, lanes, top, races):
    """How many animals beaten before may run at most, if no more than `top` are to be left unbeaten."""
    fresh, above = state
    unbeaten = fresh + sum(not superiors for superiors in above)
    runners = new + min(lanes - new, len(above))
    return top - unbeaten + races * (lanes - 1) - (lanes - runners)


# The fewest races by searching every way to race: what is known is a partial order, and every outcome must do.


def fewest_by_search(total, lanes, top, most):
    """The fewest races that surely find the set of the fastest `top`; None if `most` are too few."""
    return next((races for races in range(1, most + 1) if _possible((total, ()), lanes, top, races)), None)


@cache
def _possible(state, lanes, top, races):
    """Whether so many races are enough. A state is (animals that never ran, superiors of each other candidate)."""
    fresh, above = state
    if fresh + len(above) == top:
        return True
    unbeaten = fresh + sum(not superiors for superiors in above)
    if races == 0 or unbeaten - races * (lanes - 1) > top:  # a race leaves at most `lanes` - 1 animals newly beaten
        return False
    if fresh == 0 and len(above) <= lanes:
        return True
    return any(
        all(_possible(after, lanes, top, races - 1) for after in _outcomes(state, new, ran, top))
        for new in range(min(fresh, lanes), -1, -1)
        for ran in _choices(above, min(lanes - new, len(above)))
    )


def _choices(above, count, beaten=None):
    """Sets of so many animals that ran before, at most `beaten` of them beaten, one of those that look alike."""
    seen = set()
    for chosen in combinations(range(len(above)), count):
        if beaten is not None and sum(bool(above[place]) for place in chosen) > beaten:
            continue
        key = _canonical(above, marked=set(chosen))
        if key not in seen:
            seen.add(key)
            yield chosen


def _outcomes(state, new, ran, top, proof=False):
    """Every state that may follow a race of `new` fresh animals and the candidates `ran`, without repetitions.

    With `proof` only those in which unbeaten animals finish first, any of them the winner.
    """
    fresh, above = state
    known = [set(superiors) for superiors in above] + [set() for _ in range(new)]
    runners = (*ran, *range(len(above), len(above) + new))
    after = set()
    for order in _finishes(runners, known) if proof else permutations(runners):
        places = {runner: place for place, runner in enumerate(order)}
        if any(
            places[superior] > places[runner] for runner in runners for superior in known[runner] if superior in places
        ):
            continue
        news = [place for place in order if place >= len(above)]
        if news != sorted(news) and not proof:  # fresh animals are alike
            continue
        superiors = [set(old) for old in known]
        for faster, slower in pairwise(order):
            superiors[slower] |= superiors[faster] | {faster}
        for _ in superiors:  # whoever is behind a runner is behind those who beat it
            superiors = [old.union(*(superiors[each] for each in old)) for old in superiors]
        left = [place for place, old in enumerate(superiors) if len(old) < top]
        renamed = {place: number for number, place in enumerate(left)}
        kept = tuple(tuple(sorted(renamed[old] for old in superiors[place])) for place in left)
        after.add((fresh - new, _canonical(kept)))
    return after


def _finishes(runners, known):
    """Orders of finish with the unbeaten first, each of them once the winner; the beaten in an order that can be."""
    unbeaten = [runner for runner in runners if not known[runner]]
    beaten = sorted((runner for runner in runners if known[runner]), key=lambda runner: len(known[runner]))
    for winner in unbeaten or [None]:
        yield [*([winner] if unbeaten else []), *(runner for runner in unbeaten if runner != winner), *beaten]


@cache
def _canonical_of(above, marks):
    below = [[other for other in range(len(above)) if place in above[other]] for place in range(len(above))]
    best = None

    def refine(colours):
        while True:
            keys = [
                (
                    colours[place],
                    tuple(sorted(colours[i] for i in above[place])),
                    tuple(sorted(colours[i] for i in below[place])),
                )
                for place in range(len(above))
            ]
            ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
            again = [ranks[key] for key in keys]
            if len(ranks) == len(set(colours)):
                return again
            colours = again

    def search(colours):
        nonlocal best
        colours = refine(colours)
        classes = {}
        for place, colour in enumerate(colours):
            classes.setdefault(colour, []).append(place)
        tied = next((classes[colour] for colour in sorted(classes) if len(classes[colour]) > 1), None)
        if tied is None:
            order = sorted(range(len(above)), key=lambda place: colours[place])
            number = {place: rank for rank, place in enumerate(order)}
            shape = (
                tuple(tuple(sorted(number[i] for i in above[place])) for place in order),
                tuple(marks[place] for place in order),
            )
            best = shape if best is None else min(best, shape)
            return
        twins = len({(above[place], tuple(below[place])) for place in tied}) == 1
        for place in tied[:1] if twins else tied:
            search([2 * colour + (other != place) for other, colour in enumerate(colours)])

    search(list(marks))
    return best


def _canonical(above, marked=()):
    """The same for states that differ only in who is called what; with `marked`, a key for a choice of animals."""
    shape = _canonical_of(tuple(above), tuple(int(place in marked) for place in range(len(above))))
    return shape if marked else shape[0]
