"""Solved examples: the same for the same seed, in no release, and as even over labels as can be."""

from dataclasses import replace

import pytest

from hansproof.generators.dataset import Dataset, Draft, MatchedConditions, Subset
from hansproof.generators.errors import UsageError
from hansproof.generators.registry import MODULES, dataset
from hansproof.generators.styles.exemplars import EXEMPLARS_FROM, exemplars

PLANTED = dataset("planted-cues")


def draft(number, choices=None, answer=None):
    return Draft(f"What is {number} + 1?", choices, answer or str(number + 1), f"g{number}", "c", {})


def family(number_of, limit=None, **changes):
    """Sums whose number is `number_of` (a draw of the seed, index)."""

    def make(stream, subset, index):
        return replace(draft(number_of(stream.child(subset).below(1000), index)), **changes)

    return Dataset("sums", "1.0.0", "", "", 1, {"s": Subset(10, "all", limit=limit)}, make, lambda item: [])


def test_exemplars_are_the_same_for_the_same_seed_and_others_for_another():
    four = exemplars(PLANTED, "none", 4, 7)
    assert exemplars(PLANTED, "none", 4, 7) == four
    assert not {shot.prompt for shot in four} & {shot.prompt for shot in exemplars(PLANTED, "none", 4, 8)}
    other = exemplars(PLANTED, "unigram", 4, 7)
    assert {shot.metadata["seed"] for shot in four} != {shot.metadata["seed"] for shot in other}


@pytest.mark.parametrize("name", MODULES)
def test_exemplars_are_outside_every_release(name):
    family = dataset(name)
    for subset, declared in list(family.subsets.items())[:3]:
        few = declared.limit is not None
        if few and declared.limit <= declared.rows:
            continue  # all of it is released
        shots = exemplars(family, subset, 2 if few else 8, family.seed)
        assert len({shot.prompt for shot in shots}) == len({shot.id for shot in shots}) == (2 if few else 8)
        assert declared.rows < EXEMPLARS_FROM
        first = declared.rows if few else EXEMPLARS_FROM
        assert all(int(shot.id.rsplit("/", 1)[1]) >= first for shot in shots)
        assert all(shot.metadata["seed"] != family.seed for shot in shots)
        assert all(family.check(shot) == [] for shot in shots)


def test_where_items_are_few_no_exemplar_is_a_released_one():
    # 60 sums in an order that the seed turns: behind the 10 released ones another seed makes some of them again.
    few = family(lambda turn, index: (index + turn) % 60, limit=60)
    released = {few.item("s", few.seed, i).prompt for i in range(10)}
    shots = [exemplars(few, "s", 2, seed) for seed in range(20)]
    assert not released & {shot.prompt for pair in shots for shot in pair}
    assert len({shot.prompt for pair in shots for shot in pair}) > 5


def test_another_form_of_a_released_question_is_no_exemplar():
    # Pairs in an order that the seed turns; the second item is worded by the seed, so no release has that very prompt.
    def make(stream, subset, index):
        turn = stream.child(subset).below(30)
        number, place = (index // 2 + turn) % 30, index % 2
        text = f"Worded like {turn}: {number} + 1?" if place else f"What is {number} + 1?"
        return replace(draft(number), prompt=text, group=f"g{index // 2}", condition=("plain", "odd")[place])

    subset = Subset(10, "pairs", limit=60, matched=MatchedConditions("plain", ("odd",)))
    pairs = Dataset("pairs", "1.0.0", "", "", 1, {"s": subset}, make, lambda item: [])
    released = {pairs.item("s", pairs.seed, index).answer for index in range(10)}
    shown = {shot.answer for seed in range(20) for shot in exemplars(pairs, "s", 3, seed)}
    assert len(released) == 5
    assert len(shown) > 10
    assert not released & shown


@pytest.mark.parametrize("k", [2, 4, 8, 16])
def test_labels_are_even_over_exemplars(k):
    answers = [shot.answer for shot in exemplars(PLANTED, "imbalance", k, 7)]  # three of four answers there are no
    assert answers.count("yes") == answers.count("no") == k // 2


def test_an_odd_number_of_exemplars_is_as_even_as_it_can_be():
    answers = [shot.answer for shot in exemplars(PLANTED, "imbalance", 5, 7)]
    assert sorted((answers.count("yes"), answers.count("no"))) == [2, 3]


def test_shots_that_three_labels_do_not_share_evenly_have_each_of_them_once_or_twice():
    lettered = family(lambda turn, index: index)
    lettered = replace(lettered, make=lambda stream, subset, index: draft(index, tuple("abc"), "aaaaabc"[index % 7]))
    answers = [shot.answer for shot in exemplars(lettered, "s", 5, 7)]
    assert sorted(map(answers.count, "abc")) == [1, 2, 2]


def test_one_group_gives_one_exemplar():
    groups = [shot.group for shot in exemplars(PLANTED, "template-only", 60, 7)]
    assert len(set(groups)) == 60


def test_a_label_that_never_comes_does_not_keep_exemplars_back():
    always = family(lambda turn, index: index, answer="no", choices=("yes", "no"))
    assert [shot.answer for shot in exemplars(always, "s", 3, 1)] == ["no"] * 3


@pytest.mark.parametrize(
    ("made", "subset", "k", "message"),
    [
        (family(lambda turn, index: 1), "s", 2, r"^sums/s has only 1 items beyond the released ones, not 2$"),
        (family(lambda turn, index: index % 13, limit=40), "s", 4, r"has only 3 items beyond"),
        (family(lambda turn, index: index, limit=10), "s", 1, r"has only 0 items beyond"),
        (PLANTED, "nonne", 2, r"^planted-cues has no subset 'nonne'\. Did you mean 'none'\? Known: none, unigram, "),
        (PLANTED, "none", 0, r"^the number of examples must be 1 or more, not 0$"),
        (PLANTED, "none", 1_001, r"^the number of examples must be at most 1,000, not 1001$"),
    ],
)
def test_exemplars_that_cannot_be_had_are_refused(made, subset, k, message):
    with pytest.raises(UsageError, match=message):
        exemplars(made, subset, k, 7)
