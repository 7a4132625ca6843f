"""The contract that every dataset in MODULES fulfils.

The first items are pinned in tests/golden/NAME.json. After you change a generator, bump its version and run
`python tests/generators/test_registry_contract.py NAME`, which rewrites that file.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "toy"))  # for whoever runs this file as a script

from slow_part import slow_but

from hansproof.generators.item import METADATA_KEYS
from hansproof.generators.jsonl import dump, read_bytes
from hansproof.generators.production import Stretch, produce
from hansproof.generators.registry import MODULES, dataset, prose
from hansproof.generators.styles.exemplars import EXEMPLARS_FROM

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
SEED = 20_260
FACTOR_ITEMS = 20_000  # per dataset; per subset at most 2,000 and at least 400
LEVEL = 0.001  # for all factor tests of a dataset together

UNCHECKABLE_GOLD = {"planted-cues": "a coin decides the gold answer, so `check` sees only whether it is a label"}
"""Dataset, or dataset/subset -> why its `check` cannot detect a wrong but well-formed gold answer."""

EVERY = [(name, subset) for name in MODULES for subset in dataset(name).subsets]
SOLVED = [key for key in EVERY if not {key[0], "/".join(key)} & set(UNCHECKABLE_GOLD)]
FACTORED = [name for name in MODULES if len(dataset(name).factors) > 1]
FROZEN = [key for key in EVERY if (ROOT / "datasets" / key[0] / dataset(key[0]).version).is_dir()]

QUICK = {
    ("planted-cues", "unigram"), ("planted-cues", "german"),
    ("knights-knaves", "set-E"), ("knights-knaves", "balanced"),
    ("word-problems", "consistency"), ("word-problems", "rate"),
    ("token-bias", "conjunction-persona"), ("token-bias", "balanced-syllogism"),
    ("cognitive-tasks", "horizon"), ("cognitive-tasks", "probabilistic-reasoning"),
}  # fmt: skip
"""Two subsets a family, whose contract is part of every run; that of the others is marked as slow."""


def of_subsets(keys):
    """Parametrizes a test by (name, subset)."""
    quick = [key for key in keys if key in QUICK or key[0] not in {name for name, _ in QUICK}]
    return pytest.mark.parametrize(("name", "subset"), slow_but(keys, *quick), ids=["/".join(key) for key in keys])


each_subset = of_subsets(EVERY)


def room(name, subset, count):
    """`count`, or the number of different items if the subset has fewer."""
    limit = dataset(name).subsets[subset].limit
    return count if limit is None else min(count, limit)


@cache
def kept(name, subset, seed):
    return []


def made(name, subset, count=200, seed=SEED):
    """The first items, kept for the other tests."""
    count, items, make = room(name, subset, count), kept(name, subset, seed), dataset(name).item
    items += [make(subset, seed, index) for index in range(len(items), count)]
    return tuple(items[:count])


def first_lines(name, count=20):
    """Subset -> sha256 of its first lines; the processes of the tests below print it."""
    stretches = {subset: Stretch(subset, 0, room(name, subset, count)) for subset in dataset(name).subsets}
    return {
        subset: sha256(b"".join(produce(name, [stretch], SEED))).hexdigest() for subset, stretch in stretches.items()
    }


@each_subset
def test_ids_say_dataset_version_subset_and_index(name, subset):
    version = dataset(name).version
    ids = [item.id for item in made(name, subset)]
    assert ids == [f"{name}/{version}/{subset}/{index:06d}" for index in range(len(ids))]


@each_subset
def test_items_are_well_formed_and_metadata_has_the_same_types_in_all(name, subset):
    assert dump(made(name, subset)).count(b"\n") == room(name, subset, 200)


@each_subset
def test_metadata_names_the_origin_of_an_item(name, subset):
    family = dataset(name)
    expected = {"dataset": name, "version": family.version, "subset": subset, "seed": SEED, "canary": family.canary}
    for item in made(name, subset):
        assert {key: item.metadata[key] for key in METADATA_KEYS} == expected


@pytest.mark.parametrize("name", MODULES)
def test_every_key_of_metadata_is_documented_and_every_documented_key_occurs(name):
    family = dataset(name)
    keys = {key for subset in family.subsets for key in made(name, subset, 1)[0].metadata}
    assert keys - set(METADATA_KEYS) == set(prose(name).fields)
    assert set(family.factors) <= keys


@each_subset
def test_an_answer_is_among_the_choices(name, subset):
    for item in made(name, subset):
        assert item.choices is None or item.answer is None or item.answer in item.choices, item.id


@each_subset
def test_no_two_items_are_the_same(name, subset):
    # A release must not repeat a prompt. A subset that can repeat prompts has few different items and sets `limit`.
    # Items that are played may share a prompt, because what happens in them differs; where little can happen, two may
    # come out the same by chance, and a release under that seed is refused.
    repeated = Counter(map(dataset(name).told_apart, made(name, subset)))
    own = dataset(name).subsets[subset]
    if dataset(name).episode is None:
        assert own.limit is not None or max(repeated.values()) <= own.copies
    else:
        assert repeated.total() - len(repeated) <= repeated.total() // 100


@each_subset
def test_an_item_does_not_depend_on_the_order_or_the_number_of_items(name, subset):
    family, items = dataset(name), made(name, subset)
    last = len(items) - 1
    for index in (last, 3, 0, 3, last // 2, 1):
        assert family.item(subset, SEED, index) == items[index]
    far = 0 if family.subsets[subset].limit is not None else EXEMPLARS_FROM
    assert family.item(subset, SEED, far) == family.item(subset, SEED, far)
    five = b"".join(produce(name, [Stretch(subset, 0, 5)], SEED))
    assert five == dump(items[:5])
    assert b"".join(produce(name, [Stretch(subset, 2, 5)], SEED, chunk=1)) == dump(items[2:5])


@each_subset
def test_neighbouring_seeds_share_nothing(name, subset):
    family = dataset(name).subsets[subset]
    told_apart, every = dataset(name).told_apart, (made(name, subset, seed=seed) for seed in (SEED, SEED + 1))
    # Of three characters every seed makes all the puzzles that exist.
    ours, theirs = ([told_apart(item) for item in items if item.metadata.get("n") != 3] for items in every)
    if family.limit is None:
        assert len(set(ours) & set(theirs)) <= len(ours) // 100
    elif family.limit > family.rows:
        # A small space repeats its items, but not in the same order, and not shifted as if seed + i drew item i.
        for shift in (0, 1):
            same = sum(ours_here == theirs_here for ours_here, theirs_here in zip(ours[shift:], theirs))
            assert same <= len(ours) // 4


@each_subset
def test_an_independent_solver_confirms_every_gold_answer(name, subset):
    check = dataset(name).check
    assert {item.id: faults for item in made(name, subset) if (faults := check(item))} == {}


@of_subsets(SOLVED)
def test_an_independent_solver_rejects_a_wrong_gold_answer(name, subset):
    check, items = dataset(name).check, made(name, subset)
    answers = {item.answer: None for item in items}
    if len(answers) == 1:
        answers = {item.answer: None for other in dataset(name).subsets for item in made(name, other)[:20]}
    accepted = []
    for number, item in enumerate(items):
        # Another answer that the item offers, or else an answer of another item.
        others = [answer for answer in item.choices or answers if answer != item.answer] or ["an invented answer"]
        wrong = replace(item, answer=others[number % len(others)])
        if not check(wrong):
            accepted.append((wrong.id, item.answer, wrong.answer))
    assert accepted == []


def test_the_contract_fits_a_family_that_is_played(toy_bandit):
    # Its answers are null beside choices, and its prompts are the same under every seed: only the draws differ.
    assert [toy_bandit.item("short", seed, 0).prompt for seed in (1, 2)] == [toy_bandit.item("short", 1, 0).prompt] * 2
    key = toy_bandit.name, "short"
    test_an_answer_is_among_the_choices(*key)
    test_no_two_items_are_the_same(*key)
    test_neighbouring_seeds_share_nothing(*key)
    test_an_independent_solver_rejects_a_wrong_gold_answer(*key)


def dependent_pairs(strata, factors, level):
    """Pairs of factors that a chi-square test finds dependent, each with the index of the stratum, or "all".

    A sum of independent chi-squares is a chi-square with the sum of their degrees of freedom. It finds dependence that
    is too weak to show in any single subset. `level` is divided over all tests (Bonferroni).
    """
    from scipy.stats import (  # imported here because the processes of the tests below do not need it
        chi2,
        chi2_contingency,
    )

    dependent, pairs = [], list(combinations(factors, 2))
    level /= len(pairs) * (len(strata) + 1)
    for pair in pairs:
        total = freedom = 0
        for place, rows in enumerate(strata):
            table = crossed(*([json.dumps(row.get(key), sort_keys=True) for row in rows] for key in pair))
            if len(table) > 1 and len(table[0]) > 1:
                test = chi2_contingency(table, correction=False)
                total, freedom = total + test.statistic, freedom + test.dof
                dependent += [(*pair, place)] if test.pvalue < level else []
        dependent += [(*pair, "all")] if freedom and chi2.sf(total, freedom) < level else []
    return dependent


def crossed(first_column, second_column):
    """Contingency table of two columns; rare levels are merged, so that no expected count is under 5."""
    columns = []
    for values in (first_column, second_column):
        enough = {value: count * count >= 5 * len(values) for value, count in Counter(values).items()}
        columns.append([value if enough[value] else "rare" for value in values])
    rows, across = (sorted(set(column)) for column in columns)
    counts = Counter(zip(*columns, strict=True))
    return [[counts[row, column] for column in across] for row in rows]


@pytest.mark.parametrize("name", slow_but(FACTORED, "cognitive-tasks"))
def test_design_factors_are_pairwise_independent(name):
    family = dataset(name)
    count = max(400, min(2_000, FACTOR_ITEMS // len(family.subsets)))
    strata = [[item.metadata for item in made(name, subset, count)] for subset in family.subsets]
    assert dependent_pairs(strata, family.factors, LEVEL) == []


def test_the_independence_test_detects_dependence_and_accepts_independence():
    rows = [{"a": i % 2, "b": i % 4 // 2, "c": "xyz"[i % 3], "d": i % 2 if i % 10 else 0} for i in range(2_000)]
    assert dependent_pairs([rows], ("a", "b", "c", "d"), 1e-4) == [("a", "d", 0), ("a", "d", "all")]
    rare = [{"a": i % 2, "b": str(i) if i % 4 == 1 else "often"} for i in range(2_000)]
    assert dependent_pairs([rare, rows], ("a", "b"), 1e-4) == [("a", "b", 0), ("a", "b", "all")]
    # 30, 20, 20, 30: chi-square 4, p = .046, too weak in one subset; ten subsets give 40 with 10 degrees, p = .00002.
    weak = [{"a": i % 2, "b": (i + (i % 20 >= 12)) % 2} for i in range(100)]
    assert dependent_pairs([weak], ("a", "b"), 0.01) == []
    assert dependent_pairs([weak] * 10, ("a", "b"), 0.01) == [("a", "b", "all")]
    assert dependent_pairs([[{"a": 1, "b": i % 2} for i in range(50)]], ("a", "b"), 0.05) == []


def test_columns_are_crossed_and_rare_levels_merged():
    assert crossed("x" * 20 + "y" * 20, "p" * 16 + "q" * 24) == [[16, 4], [0, 20]]
    # A level of 25 values needs 12 of them; x and the three single levels have fewer.
    assert crossed("x" * 10 + "y" * 12 + "uvw", "pq" * 10 + "q" * 5) == [[8, 5], [7, 5]]


@pytest.mark.parametrize("hash_seed", slow_but("012", "1"))
@pytest.mark.parametrize("name", MODULES)
def test_bytes_are_the_same_in_another_process_under_any_hash_seed(name, hash_seed):
    command = [sys.executable, __file__, "--digests", name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert json.loads(done.stdout) == first_lines(name)


@pytest.mark.parametrize(
    ("name", "workers"), slow_but([(name, workers) for name in MODULES for workers in (2, 4)], ("planted-cues", 2))
)
def test_bytes_are_the_same_with_several_workers(name, workers):
    stretches = [Stretch(subset, 0, room(name, subset, 8)) for subset in dataset(name).subsets]
    alone = b"".join(produce(name, stretches, SEED))
    assert b"".join(produce(name, stretches, SEED, workers, chunk=3)) == alone
    assert alone == b"".join(dump(made(name, stretch.subset)[:8]) for stretch in stretches)


def golden(name):
    """What the golden file of a dataset pins: per subset, a readable first item and the digest of the first lines."""
    family = dataset(name)
    digests = first_lines(name)
    pinned = {subset: {"first": made(name, subset)[0].record(), "sha256": digests[subset]} for subset in family.subsets}
    return {"version": family.version, "seed": SEED, "subsets": pinned}


@pytest.mark.parametrize("name", MODULES)
def test_the_first_items_equal_the_pinned_items(name):
    path = GOLDEN / f"{name}.json"
    assert path.is_file(), f"pin the first items: python {Path(__file__).relative_to(ROOT)} {name}"
    assert json.loads(path.read_text("utf-8")) == golden(name), "the bytes have changed: bump the version"


@of_subsets(FROZEN)
def test_the_generator_reproduces_the_frozen_file(name, subset):
    family = dataset(name)
    folder = ROOT / "datasets" / name / family.version
    (entry,) = (e for e in json.loads((folder / "manifest.json").read_bytes())["subsets"] if e["name"] == subset)
    again = sha256()
    for piece in produce(name, [Stretch(subset, 0, family.subsets[subset].rows)], family.seed):
        again.update(piece)
    published = sha256(read_bytes(folder / entry["file"])).hexdigest()
    assert published == entry["sha256"] == again.hexdigest()


def pin(name):
    """Write the golden file, but never replace other bytes of the same version."""
    path, now = GOLDEN / f"{name}.json", golden(name)
    if path.is_file():
        before = json.loads(path.read_text("utf-8"))
        if before["version"] == now["version"] and before != now:
            sys.exit(f"{name} {now['version']}: the bytes have changed; bump the version, or remove {path}")
    path.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "--digests":
        print(json.dumps(first_lines(sys.argv[2])))
    else:
        for dataset_name in sys.argv[1:]:
            pin(dataset_name)
