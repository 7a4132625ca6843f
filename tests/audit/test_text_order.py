"""The order of the rows in a file says nothing, so it changes nothing but places."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

import hansproof
from hansproof.audit.benchmark import Benchmark, Mapping
from hansproof.audit.reading.loading import load
from hansproof.audit.result.document import encode
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.generators.jsonl import read_bytes

pytestmark = pytest.mark.slow  # whole audits, each in seconds

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "planted-cues" / "2.0.0"
QUICK = {"permutations": 99, "splits": 1, "folds": 3}


def shuffled(values, seed):
    return [values[i] for i in np.random.default_rng(seed).permutation(len(values))]


@pytest.fixture(scope="module")
def rows():
    """90 items of 30 groups, the last ten again, and two texts with both answers."""
    lines = read_bytes(SAMPLE / "template-only.jsonl.gz").decode().splitlines()[:90]
    items = [
        {"id": f"item {n}", "prompt": row["prompt"], "answer": row["answer"], "group": row["group"]}
        for n, row in enumerate(map(json.loads, lines))
    ]
    again = [{**item, "id": f"{item['id']} again"} for item in items[-10:]]
    other = {"yes": "no", "no": "yes"}
    against = [{**item, "id": f"{item['id']} against", "answer": other[item["answer"]]} for item in items[:2]]
    return items + again + against


def without_places(result):
    """A result without ids, places and the digest of the rows as they came."""
    giveaways = [msgspec.structs.replace(item, id="", place="") for item in result.giveaways]
    groups = msgspec.structs.replace(result.groups, examples=[])
    duplicates = msgspec.structs.replace(result.duplicates, conflicting=[])
    labels = sorted(result.labels, key=lambda count: count.label)
    return encode(
        msgspec.structs.replace(
            result, sha256="", giveaways=giveaways, groups=groups, duplicates=duplicates, labels=labels
        )
    )


@pytest.fixture(scope="module")
def first(rows):
    return hansproof.audit(rows, id="id", **QUICK)


def same_shuffled(first, rows, seed, groups):
    again = hansproof.audit(shuffled(rows, seed), id="id", groups=groups, **QUICK)
    assert without_places(again) == without_places(first)
    assert set(map(frozenset, again.duplicates.conflicting)) == set(map(frozenset, first.duplicates.conflicting))


@pytest.mark.parametrize("seed", [1, 2])
def test_shuffled_rows_give_the_same_result(rows, first, seed):
    assert first.items == 102
    assert first.duplicates.conflicting_sets == 2
    same_shuffled(first, rows, seed, "auto")


def test_shuffled_rows_give_the_same_result_with_groups_found_in_the_texts(rows):
    by_texts = hansproof.audit(rows, id="id", groups="found", **QUICK)
    assert by_texts.items == 102
    assert by_texts.duplicates.conflicting_sets == 2
    same_shuffled(by_texts, rows, 3, "found")


def test_other_names_for_the_answers_give_the_same_numbers(rows, first):
    # "yes" and "no" sort the other way round as "a" and "b"; two texts have both answers.
    named = hansproof.audit(
        [{**row, "answer": {"yes": "a", "no": "b"}[row["answer"]]} for row in rows], id="id", **QUICK
    )
    assert encode(named.schemes[0]) == encode(first.schemes[0])
    assert (named.verdict, named.findable, named.clusters) == (first.verdict, first.findable, first.clusters)


def test_the_scores_of_the_items_are_the_same_and_come_in_the_order_of_the_source(rows):
    def scored(source):
        return examine(source, settings=make_settings(**QUICK)).item_scores()

    first, again = scored(rows), scored(shuffled(rows, 4))
    assert [score.id for score in first] == [row["id"] for row in rows]
    assert [score.id for score in again] == [row["id"] for row in shuffled(rows, 4)]
    assert [score.answer for score in again] == [row["answer"] for row in shuffled(rows, 4)]
    # Items alike in text, answer and group are interchangeable: two copies may have each other's score.
    alone = {row["id"] for row in rows[:80]}
    assert {score.id: score for score in first if score.id in alone} == {
        score.id: score for score in again if score.id in alone
    }


def test_the_papers_protocol_shuffles_the_rows_by_their_ids_or_as_they_come(rows):
    def audited(source):
        return hansproof.audit(source, protocol="paper", permutations=99).schemes

    assert audited(rows) == audited(shuffled(rows, 5))
    nameless = [{key: value for key, value in row.items() if key != "id"} for row in rows]
    assert audited(nameless) != audited(shuffled(nameless, 5))


def benchmark(prompts, answers, groups=None):
    n = len(prompts)
    return Benchmark(
        name="b", source="b", sha256="", prompts=prompts, answers=answers, ids=[f"line {i}" for i in range(n)],
        mapping=Mapping(prompt="prompt", answer="answer"), groups=groups,
        splits=[f"split {i}" for i in range(n)], choices=[[f"choice {i}"] for i in range(n)],
    )  # fmt: skip


def test_everything_of_an_item_moves_with_it_and_its_place_is_kept():
    prompts = [f"text {i}" for i in range(20)]
    before = benchmark(prompts, [str(i) for i in range(20)], [f"g{i}" for i in range(20)])
    after, order = before.in_text_order()
    assert sorted(order) == list(range(20))
    assert order != sorted(order)
    assert after.prompts == [f"text {i}" for i in order]
    assert after.answers == [str(i) for i in order]
    assert after.ids == [f"line {i}" for i in order]
    assert after.groups == [f"g{i}" for i in order]
    assert after.splits == [f"split {i}" for i in order]
    assert after.choices == [[f"choice {i}"] for i in order]
    bare, same = replace(before, groups=None, splits=None, choices=None).in_text_order()
    assert (bare.groups, bare.splits, bare.choices, same) == (None, None, None, order)


def test_the_order_has_nothing_to_do_with_length_alphabet_or_the_answer():
    prompts = [f"{'a' * i} text" for i in range(200)]
    _, order = benchmark(prompts, ["no"] * 100 + ["yes"] * 100).in_text_order()
    assert abs(np.corrcoef(order, np.arange(200))[0, 1]) < 0.2
    _, turned = benchmark(prompts, ["yes"] * 100 + ["no"] * 100).in_text_order()
    assert turned == order


def test_equal_texts_are_ordered_by_answer_and_then_by_group():
    after, order = benchmark(["same"] * 4, ["b", "a", "b", "a"], ["x", "z", "w", "y"]).in_text_order()
    assert order == [3, 1, 2, 0]
    assert after.answers == ["a", "a", "b", "b"]


def test_a_text_with_a_lone_surrogate_has_a_place_too():
    after, _ = benchmark(["\ud800", "x"], ["a", "b"]).in_text_order()
    assert sorted(after.answers) == ["a", "b"]


def test_the_order_of_ids_counts_numbers_by_their_value():
    rows = [{"id": f"log.{n}", "prompt": f"Is {n} so?", "answer": "yes"} for n in (10, 9, 100, 1)]
    ordered, order = load(rows).in_id_order()
    assert (ordered.ids, order) == (["log.1", "log.9", "log.10", "log.100"], [3, 1, 0, 2])
    assert ordered.prompts[1] == "Is 9 so?"
