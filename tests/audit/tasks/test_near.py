"""Near-duplicates: against all pairs compared in plain Python, and by hand."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from hansproof.audit.tasks.overlap import NEAR, near_matches
from hansproof.audit.texts.sentences import fold_text


def by_all_pairs(texts, others, least):
    """The definition: weighted Jaccard similarity of words and pairs, each weighing log((1 + n) / texts with it)."""

    def parts(text):
        words = text.split()
        return {*words, *pairwise(words)}

    every = [parts(text) for text in [*texts, *others]]
    spread = Counter(part for text in every for part in text)
    weight = {part: math.log((1 + len(every)) / k) if k <= 0.6 * len(every) else 0.0 for part, k in spread.items()}
    place, best = [], []
    for ours in every[: len(texts)]:
        similarity = [
            sum(weight[part] for part in ours & theirs) / sum(weight[part] for part in ours | theirs)
            for theirs in every[len(texts) :]
        ]
        top = int(np.argmax(similarity))
        place.append(top if similarity[top] >= least else -1)
        best.append(similarity[top] if similarity[top] >= least else 0.0)
    return place, best


@pytest.mark.parametrize("least", [0.4, NEAR])
def test_the_most_similar_texts_are_those_of_all_pairs(least):
    random = np.random.RandomState(0)
    words = [f"w{number}" for number in range(60)]
    others = [" ".join(["please", "answer", *random.choice(words, 12)]) for _ in range(150)]
    texts = []
    for k in range(80):
        copy = others[k].split()
        for at in random.choice(np.arange(2, 14), k % 6, replace=False):
            copy[at] = random.choice(words)
        texts.append(" ".join(copy))
    matches = near_matches(texts, others, least)
    place, best = by_all_pairs(texts, others, least)
    assert matches.place.tolist() == place
    assert matches.similarity == pytest.approx(best)
    assert 10 < sum(at >= 0 for at in place) < 80


def test_another_word_in_a_long_sentence_is_a_near_duplicate_and_another_sentence_is_not():
    texts = [
        fold_text(f"Unrelated sentence number {k} talks about thing {k * 7} and place {k * 11}.") for k in range(20)
    ]
    long = "the old captain of the ship told his crew that the storm would reach the harbour before midnight"
    texts.append(fold_text(long))
    others = [fold_text(long.replace("crew", "men")), "the crew of a ship saw a storm", *texts[:5]]
    matches = near_matches(texts[5:], others)
    assert (matches.place[-1], matches.place[:-1].max()) == (0, -1)
    assert NEAR <= matches.similarity[-1] < 1


def test_shared_instructions_do_not_make_texts_similar():
    frame = "read the following passage with care and then answer the question by choosing yes or no"
    texts = [f"{frame} w{k} x{k} y{k} z{k}" for k in range(40)]
    assert (near_matches(texts[:20], texts[20:]).place == -1).all()


def test_scripts_without_spaces_are_compared_by_character():
    same = "彼は昨日、駅の前で古い友人に偶然会って一緒に昼食を食べた"
    others = ["今日は天気が良いので公園で本を読むことにした", same.replace("昼食", "夕食")]
    assert near_matches([same, "全く別の文章がここに書かれている"], others).place.tolist() == [1, -1]


def test_numbers_count_as_they_are_written():
    texts = [f"{k} plus {k + 3} equals what number exactly" for k in range(10, 40)]
    assert (near_matches(texts[:15], texts[15:]).place == -1).all()


@pytest.mark.parametrize("texts", [[""], ["?"], ["word"]])
def test_texts_with_hardly_a_word_match_nothing(texts):
    assert near_matches(texts, ["another text", "and one more"]).place.tolist() == [-1]
