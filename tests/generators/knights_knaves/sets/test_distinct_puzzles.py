"""No two puzzles of a release are equal up to the names and the order of characters, within and across subsets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from slow_part import slow_but

from hansproof.generators.errors import UsageError
from hansproof.generators.jsonl import plain, read
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.distinct import BLOCK, Cell, Drawn, bundle, form_key
from hansproof.generators.knights_knaves.drawing import sayings, worlds_of
from hansproof.generators.knights_knaves.puzzle import cell_of
from hansproof.generators.knights_knaves.sets import BALANCED_CELLS, FAITHFUL_CELLS, LAST
from hansproof.generators.knights_knaves.statements import SETS
from hansproof.generators.stream import Stream

FROZEN = Path(__file__).resolve().parents[4] / "datasets" / "knights-knaves" / "2.0.0"


SLOW = {"ladder": 300, "memorisation": 300, "logicians": 0}  # rows looked at; the frozen release is read whole


@cache
def released(seed):
    """(subset, metadata, group) of the items of a release."""
    rows = []
    for subset, about in DATASET.subsets.items():
        for index in range(min(about.rows, SLOW.get(subset, about.rows))):
            item = DATASET.item(subset, seed, index)
            rows.append((subset, item.metadata, item.group))
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("seed", [DATASET.seed, 3])
def test_a_form_occurs_in_one_subset_and_in_one_order_only(seed):
    subsets, texts = {}, {}
    for subset, about, _ in released(seed):
        if "form" not in about:
            continue
        key = form_key(about["statements"])
        assert about["form"] == key
        subsets.setdefault(key, set()).add(subset)
        texts.setdefault(key, set()).add(tuple(about["statements"]))
    assert max(map(len, subsets.values())) == 1
    assert max(map(len, texts.values())) == 1


@pytest.mark.slow
@pytest.mark.skipif(not FROZEN.is_dir(), reason="version 2.0.0 is not frozen yet")
def test_in_the_frozen_release_no_two_puzzles_are_equal_up_to_names_and_order():
    texts = {}
    for path in sorted({plain(path) for path in FROZEN.glob("*.jsonl*")}):
        for item in read(path):
            if "form" in item.metadata:
                texts.setdefault(form_key(item.metadata["statements"]), set()).add(
                    (path.stem, *item.metadata["statements"])
                )
    assert len(texts) > 6000
    assert max(map(len, texts.values())) == 1


@pytest.mark.slow
def test_three_vocabularies_of_one_puzzle_and_two_questions_about_it_share_a_form_and_nothing_else_does():
    for subset, times in (("set-S", 3), ("set-I", 3), ("set-E", 3), ("balanced", 1), ("character", 2), ("number", 1)):
        forms = Counter(about["form"] for name, about, _ in released(DATASET.seed) if name == subset)
        assert set(forms.values()) == {times}


@pytest.mark.slow
def test_the_group_is_the_form_and_matched_puzzles_share_the_form_of_the_uniquely_solvable_one():
    rows = released(DATASET.seed)
    for subset in ("set-S", "balanced", "character"):
        assert all(group == about["form"] for name, about, group in rows if name == subset)
    for subset in ("number", "solutions"):
        unique = {about["form"] for name, about, _ in rows if name == subset and about["outcome"] == "one"}
        groups = Counter(group for name, _, group in rows if name == subset)
        assert set(groups) == unique
        assert set(groups.values()) == {3}


def sure(stream, block):
    """Candidates that repeat: the same three puzzles again and again."""
    puzzles = [
        tuple(next(said for said in sayings("accusation", place, 3) if said.notation == text)
              for place, text in enumerate(told))
        for told in (("B", "A", "A"), ("~B", "A", "A"), ("B", "C", "B"), ("~B", "~A", "A"))
    ]  # fmt: skip
    return lambda place: iter([(Drawn(puzzle, worlds_of(puzzle)),) for puzzle in puzzles])


def test_a_form_that_is_taken_is_passed_over_and_what_runs_out_says_so():
    # B's "A is a knight" and so on: the third is the first with B and C in each other's place.
    first = Cell("first", 1, sure)
    second = Cell("second", 2, sure, (first,))
    stream = Stream(1)
    assert [said.notation for said in bundle(stream, first, 0)[0].puzzle] == ["B", "A", "A"]
    assert [said.notation for said in bundle(stream, second, 0)[0].puzzle] == ["~B", "A", "A"]
    assert [said.notation for said in bundle(stream, second, 1)[0].puzzle] == ["~B", "~A", "A"]
    with pytest.raises(UsageError, match="fewer than 3 different puzzles of the kind second"):
        bundle(stream, second, 2)
    with pytest.raises(UsageError, match="fewer than 6 different puzzles of the kind third"):
        bundle(stream, Cell("third", 1, sure, capacity=5), 5)


def test_what_a_cell_must_not_repeat_goes_back_to_the_first_cell():
    for n in (4, 5, 6):
        earlier = [
            *(FAITHFUL_CELLS[letter, n] for letter in "EIS"), *BALANCED_CELLS[n], LAST[n].after[0], LAST[n]
        ]  # fmt: skip
        reached, waiting = set(), [earlier[-1]]
        while waiting:
            waiting += (cell := waiting.pop()).after
            reached.add(cell)
        assert reached == set(earlier)


def test_later_blocks_repeat_nothing_of_the_release():
    cell = FAITHFUL_CELLS["E", 4]
    stream = Stream(4)
    keys = {bundle(stream, cell, number)[0].key for number in range(cell.rows)}
    assert not keys & {bundle(stream, cell, BLOCK + number)[0].key for number in range(300)}
    # Whether an earlier block was asked for makes no difference.
    again = replace(cell)
    assert bundle(stream, again, BLOCK + 7)[0] == bundle(stream, cell, BLOCK + 7)[0]


def test_cells_take_turns_until_the_release_is_full_and_then_until_they_are_used_up():
    cells = [Cell("few", 1, sure, capacity=1), Cell("many", 2, sure), Cell("some", 1, sure, capacity=3)]
    places = [cell_of(index, cells) for index in range(10)]
    assert places[:4] == [(0, 0), (1, 0), (2, 0), (1, 1)]
    assert places[4:] == [(1, 2), (2, 1), (1, 3), (2, 2), (1, 4), (1, 5)]
    with pytest.raises(UsageError, match="no more different puzzles"):
        cell_of(4, [cells[0], cells[2]])


@pytest.mark.parametrize("seed", slow_but(range(4), 0))
def test_the_smallest_cells_are_full_under_any_seed(seed):
    stream = DATASET.stream(seed)
    for cell in (FAITHFUL_CELLS["S", 3], FAITHFUL_CELLS["I", 3], *BALANCED_CELLS[3], LAST[3].after[0], LAST[3]):
        assert bundle(stream, cell, cell.capacity - 1)
        assert cell.rows <= cell.capacity
        with pytest.raises(UsageError, match=f"of the kind {cell.name}"):
            bundle(stream, cell, cell.capacity)


@pytest.mark.parametrize("letter", "SIE")
def test_kinds_keep_the_shares_of_the_law_where_puzzles_are_many(letter):
    kinds = Counter(
        kind for n in (5, 6) for number in range(200)
        for kind in [said.kind for said in bundle(DATASET.stream(8), FAITHFUL_CELLS[letter, n], number)[0].puzzle]
    )  # fmt: skip
    assert set(kinds) == set(SETS[letter])
    assert min(kinds.values()) / kinds.total() > 0.1
