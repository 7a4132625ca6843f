"""Clusters of texts that are alike: whole templates in some respect, and only texts decide."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.audit.run import audit
from hansproof.audit.texts import similarity
from hansproof.audit.texts.grouping import find_groups
from hansproof.audit.texts.similarity import LONGEST, frames, similarity_partitions, tokens, vectors

TOWNS = ["Oslo", "Porto", "Ghent", "Lima", "Quito", "Turin", "Cork", "Graz"]
THINGS = ["ein altes Rad", "den Koffer seines Vaters", "Brot", "zwei sehr schwere Kisten", "nichts", "eine Lampe"]
GERMAN = [
    "Gestern brachte der Nachbar {} nach {}, obwohl es den ganzen Tag geregnet hatte.",
    "Warum wollte eigentlich niemand in {} wissen, wer dort {} liegen ließ?",
    "Sobald {} verkauft ist, ziehen wir endlich um und kaufen ein Haus bei {}.",
]
ITEMS = [template.format(*pair) for template in GERMAN for pair in itertools.product(THINGS, TOWNS)]
TRUE = [at // 48 for at in range(144)]


def blocks(index):
    return {frozenset(np.flatnonzero(index == number).tolist()) for number in np.unique(index)}


def test_templates_with_long_slots_are_whole_in_some_respect():
    assert any(blocks(partition.index) == blocks(np.array(TRUE)) for partition in similarity_partitions(ITEMS))


HALVES = [
    "weil {} den Koffer von {} nicht fand",
    "obwohl {} kein Haus wie {} besitzt",
    "wenn {} endlich bei {} bleibt",
    "bevor {} gestern auf {} wartete",
]
PAIRED = [
    f"{first.format(a, b)}, {second.format(c, d)}."
    for first, second in itertools.permutations(HALVES, 2)
    for a, b, c, d in itertools.islice(itertools.permutations(TOWNS, 4), 0, 1600, 160)
]


def test_looser_clusters_are_coarser_and_partitions_count_their_clusters():
    partitions = similarity_partitions(PAIRED)
    assert [len(np.unique(partition.index)) for partition in partitions] == [p.count for p in partitions]
    tight, loose = (next(p for p in partitions if p.alike == alike) for alike in ("template", "wording"))
    assert loose.count < tight.count
    assert all(any(block <= whole for whole in blocks(loose.index)) for block in blocks(tight.index))


QUANTIFIED = ("すべての{}は{}である", "どの{}も{}でない", "ある{}は{}である", "ある{}は{}でない")
MOODS = list(itertools.product(QUANTIFIED, QUANTIFIED[:3], QUANTIFIED[1:3]))
KANJI = "犬猫鳥魚花木山川本車家町海空星石馬牛虫草船橋道塔雲雪火水土金"
SYLLOGISMS = [
    "。".join([first.format(b, c), second.format(a, b), f"よって、{third.format(a, c)}。"])
    for first, second, third in MOODS
    for a, b, c in itertools.islice(itertools.permutations(KANJI, 3), 0, 24000, 800)
]


def test_the_frame_of_a_syllogism_is_its_mood_in_any_language():
    index = frames(SYLLOGISMS)
    assert blocks(index) == blocks(np.repeat(np.arange(len(MOODS)), len(SYLLOGISMS) // len(MOODS)))
    assert next(p for p in similarity_partitions(SYLLOGISMS) if p.alike == "frame").count == len(MOODS) == 24


def test_a_frame_keeps_rarer_words_where_the_commonest_leave_too_few():
    # "it" is in all texts, each of twenty words in a twentieth: with "it" alone there would be one frame.
    words = [a + b for a in "bdfg" for b in "aeiou"]
    assert blocks(frames([f"it {words[n % 20]} is {n}" for n in range(400)])) == blocks(np.arange(400) % 20)
    assert len(set(frames([f"it {word}" for word in words[:8]] * 5).tolist())) == 40


def test_a_leak_of_moods_that_nobody_declared_is_template_bound():
    gold = np.random.default_rng(0).permutation(24) % 2
    size = len(SYLLOGISMS) // len(MOODS)
    rows = [{"prompt": text, "answer": "はい" if gold[n // size] else "いいえ"} for n, text in enumerate(SYLLOGISMS)]
    result = audit(rows, splits=1, permutations=199, workers=1)
    assert result.groups.count > 24 * 5  # the moods were not detected as groups
    assert result.verdict == "TEMPLATE-BOUND"
    assert "texts with the same common words in the same order stay together (24 clusters)" in result.reason


def test_unrelated_texts_stay_alone():
    texts = [f"w{at} x{at * 7} y{at * 3} z{at}" for at in range(50)]
    assert [partition.count for partition in similarity_partitions(texts)] == [50, 50, 50]


def test_equal_texts_share_a_cluster_in_every_respect():
    texts = [*ITEMS, ITEMS[0].upper(), f"  {ITEMS[0]}"]
    for partition in similarity_partitions(texts):
        assert len(set(partition.index[[0, 144, 145]].tolist())) == 1


POOL = [*ITEMS[::5], "", "?", "🙂", "一二三四五六七", "Is it {}?", "x" * 500]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from(POOL), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_partitions_do_not_depend_on_the_order_of_the_items(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    here, there = similarity_partitions(texts), similarity_partitions([texts[at] for at in order])
    assert [partition.alike for partition in here] == [partition.alike for partition in there]
    for partition, shuffled in zip(here, there, strict=True):
        assert {frozenset(order[at] for at in block) for block in blocks(shuffled.index)} == blocks(partition.index)


@pytest.mark.parametrize(
    ("texts", "counts"),
    [([], []), (["one"], []), (["", "  ", "\n"], []), (["same"] * 5000, []), (["🙂", "🙃", ""], [3, 3, 3])],
)
def test_texts_with_nothing_to_compare_give_no_partition_or_one_of_single_texts(texts, counts):
    assert [partition.count for partition in similarity_partitions(texts)] == counts


def test_a_text_of_a_megabyte_is_read_from_its_beginning_only():
    assert len(tokens("word " * 200_000)) == LONGEST
    assert len(similarity_partitions(["word " * 200_000, "x" * 1_000_000, *ITEMS])[0].index) == 146


def test_texts_outside_the_sample_join_the_nearest_cluster(monkeypatch):
    monkeypatch.setattr(similarity, "SAMPLE", 60)
    partitions = similarity_partitions(ITEMS)
    assert any(blocks(partition.index) == blocks(np.array(TRUE)) for partition in partitions)
    assert blocks(find_groups(ITEMS).index) == blocks(np.array(TRUE))


def test_declared_groups_go_whole_to_the_cluster_that_holds_most_of_them():
    # Items 0, 1 and 48 are one group: two of them are of the first template, one is of the second.
    groups = np.arange(144)
    groups[[1, 48]] = 0
    expected = np.array(TRUE)
    expected[48] = 0
    partitions = similarity_partitions(ITEMS, groups=groups)
    assert any(blocks(partition.index) == blocks(expected) for partition in partitions)
    assert all(len(set(partition.index[[0, 1, 48]].tolist())) == 1 for partition in partitions)


def test_only_a_sample_of_the_texts_is_compared_in_pairs(monkeypatch):
    monkeypatch.setattr(similarity, "SAMPLE", 60)
    assert similarity.tree(ITEMS).links.shape == (59, 2)


def test_the_frame_and_what_only_one_text_has_have_no_column():
    space = vectors(["all share this a b", "all share this a b c", "all share this d e", "all share this d f"])
    # a, b, d; "a b", "this a", "this d"; "this a b", "share this a", "share this d".
    assert space.unit.shape == (4, 9)
    assert space.lengths.tolist() == [4, 5, 4, 4]  # "all share this" is the one frame of three words


def test_a_script_without_spaces_is_read_by_characters_and_numbers_are_alike():
    assert tokens("他有12本书。He's") == ["他", "有", "0", "本", "书", "。", "he's"]


def test_four_templates_of_150_items_are_four_groups():
    forms = [
        "yesterday the old farmer sold {} to a baker who never paid",
        "nobody could explain how {} came into our cellar",
        "please carry {} upstairs before the guests arrive",
        "it took {} seven hours until everything was dry again",
    ]
    texts = [form.format(f"thing{at} item{at % 13}") for at in range(150) for form in forms]
    groups = find_groups(texts)
    assert np.bincount(groups.index).tolist() == [150] * 4
    assert groups.how == "Detected 4 templates that make up 600 of 600 items."


def test_neither_clusters_nor_groups_import_a_heavy_package():
    heavy = ("sklearn", "nltk", "pandas")  # numba counts the n-grams of every audit
    code = (
        "import sys\nfrom hansproof.audit.texts.grouping import find_groups\n"
        "from hansproof.audit.texts.similarity import similarity_partitions\n"
        f"texts = {ITEMS!r}\nfind_groups(texts), similarity_partitions(texts)\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
