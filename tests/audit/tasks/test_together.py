"""Items that share options count together: for the audit, and for the models that answer them."""

import json
from dataclasses import replace
from itertools import combinations

import made_options
import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import hansproof
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.replies.asking import Asking, asked_items, items_of_logs
from hansproof.audit.tasks.options.option_rows import OptionPool, groups_in_pool, items_together
from hansproof.generators.stream import Stream


def chained(count=60):
    """Rows of which 3, 4 and 5 share options in a chain (3 and 5 share none), 10 and 11 all of them, 20 and 21 one."""
    made = made_options.rows(count)
    for number, row in enumerate(made):
        row["question"] = " ".join(Stream(1, "asked").child(number).sample(made_options.WORDS, 9)).capitalize() + "?"
    made[4]["choices"][:2] = made[3]["choices"][:2]
    made[5]["choices"][:2] = made[4]["choices"][2:]
    made[11]["choices"] = made[10]["choices"][::-1]
    made[21]["choices"][0] = made[20]["choices"][0]
    return made


@pytest.fixture
def chain(tmp_path):
    path = tmp_path / "chain.jsonl"
    lines = [{"id": f"q{number}", **row} for number, row in enumerate(chained())]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def read(made):
    """As a benchmark whose options stand in a column."""
    return replace(made_options.benchmark(made), choices=[row["choices"] for row in made])


def same_partition(first, second):
    return len(set(first)) == len(set(second)) == len(set(zip(first, second, strict=True)))


def test_scores_and_comparisons_count_the_groups_of_the_audit(chain):
    audited = hansproof.audit(chain, splits=1, permutations=20, workers=1).groups
    assert (audited.count, audited.largest) == (57, 3)
    items = asked_items(chain, Asking())
    group = {item.id: item.group for item in items}
    assert group["q3"] == group["q4"] == group["q5"]
    assert group["q10"] == group["q11"]
    assert group["q20"] != group["q21"]
    assert len(set(group.values())) == 57
    assert items.notes == (f"intervals, standard errors and p count 57 groups, not 60 items. {audited.how}",)
    assert audited.how.endswith("items that share options or a question reduced them to 57.")
    answers = [{item.id: item.choices[number % share] for number, item in enumerate(items)} for share in (2, 3)]
    assert hansproof.score(answers[0], chain)[0].lines[0].groups == 57
    assert hansproof.compare(*answers, items=chain).whole.difference.groups == 57
    assert len({item.group for item in asked_items(chain, Asking.of({}, "none"))}) == 60


def test_logs_that_hold_their_options_are_grouped_as_the_benchmark_is(chain):
    own = asked_items(chain, Asking())
    replies = [
        Reply(place="log", reply="A", id=item.id, prompt=item.prompt, golds=(item.answer,), choices=item.choices)
        for item in own
    ]
    items = {item.id: item.group for item in items_of_logs(replies, Asking())}
    assert same_partition([items[item.id] for item in own], [item.group for item in own])
    lists = ["\n".join(f"{'ABCD'[k]}. {text}" for k, text in enumerate(item.choices)) for item in own]
    printed = [
        Reply(place="log", reply="A", id=item.id, prompt=f"{item.prompt}\n{listed}",
              golds=("ABCD"[item.choices.index(item.answer)],))
        for item, listed in zip(own, lists, strict=True)
    ]  # fmt: skip
    items = {item.id: item.group for item in items_of_logs(printed, Asking())}
    assert same_partition([items[item.id] for item in own], [item.group for item in own])
    assert len({item.group for item in items_of_logs(replies, Asking.of({}, "none"))}) == 60


@pytest.mark.parametrize("seed", range(4))
def test_the_groups_are_the_components_of_the_items_that_share_options(seed):
    # The second way: every pair of items by sets, and SciPy's components of the graph.
    rng = np.random.default_rng(seed)
    made = chained(80)
    for _ in range(12):
        to, source = rng.choice(80, 2, replace=False)
        many = int(rng.integers(1, 4))
        made[to]["choices"][:many] = made[source]["choices"][:many]
    made = [row for row in made if len(set(row["choices"])) == 4]
    n = len(made)
    declared = replace(read(made), groups=[str(place) for place in range(n)])
    shares = [
        (first, second) for first, second in combinations(range(n), 2)
        if len(set(made[first]["choices"]) & set(made[second]["choices"])) >= 2
    ]  # fmt: skip
    graph = coo_matrix((np.ones(len(shares)), np.array(shares).T), shape=(n, n))
    groups = items_together(declared, "auto")
    assert same_partition(groups.index.tolist(), connected_components(graph, directed=False)[1].tolist())
    pool = OptionPool.of(declared, declared.options)
    texts = replace(declared, prompts=[declared.prompts[place] for place in pool.source],
                    groups=[declared.groups[place] for place in pool.source])  # fmt: skip
    audited = groups_in_pool(texts, pool, "auto")
    assert same_partition(groups.index[pool.source].tolist(), audited.index.tolist())


def test_items_whose_gold_the_audit_cannot_tell_are_grouped_as_well():
    whole = read(chained())
    faults = ["several options are right" if place in (4, 10) else "" for place in range(60)]
    gold = [-1 if fault else place for fault, place in zip(faults, whole.options.gold, strict=True)]
    doubtful = replace(whole, options=replace(whole.options, faults=faults, gold=gold))
    assert (items_together(doubtful, "auto").index == items_together(whole, "auto").index).all()
    without = [[] if place == 4 else own for place, own in enumerate(whole.options.texts)]
    faults[4] = "fewer than two options"
    unread = replace(doubtful, options=replace(doubtful.options, texts=without, faults=faults))
    assert len(set(items_together(unread, "auto").index.tolist())) == 59  # 3, 4 and 5 have lost their link


def test_an_option_that_stands_twice_in_an_item_is_not_two_that_are_shared():
    whole = read(chained())
    texts = [list(own) for own in whole.options.texts]
    for place in (30, 31):
        texts[place][:2] = ["the same", "The  same"]
    faults = ["two options are equal" if place in (30, 31) else "" for place in range(60)]
    twice = replace(whole, options=replace(whole.options, texts=texts, faults=faults))
    index = items_together(twice, "auto").index
    assert index[30] != index[31]
    assert len(set(index.tolist())) == 57


def test_a_few_items_with_options_of_their_own_are_grouped_as_many_would_be():
    few = read(chained()[:12])
    assert len(set(items_together(few, "auto").index.tolist())) == 10  # 3 and 4, 10 and 11; a fifth is two items
