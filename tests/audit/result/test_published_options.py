"""A published split of items with options of their own: learnt on one part, judged on the other."""

import made_options
import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import hansproof
from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.options.option_crossfit import OptionTask
from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.views import tables
from hansproof.audit.tasks.split_probes import SplitRows, score_parts
from hansproof.audit.texts.vectors import by_name
from hansproof.generators.errors import InputError

QUICK = {"permutations": 199}


def cued(text):
    return f"{text.rpartition(' ')[0]} surely"


def part(count, seed, cue=None, strength=0.6, k=4):
    """Items of which no question is in another part."""
    made = made_options.rows(count, cue, strength, seed=seed, k=k)
    return [{**row, "question": f"{row['question']} Set {seed}.", "id": f"{seed}-{n}"} for n, row in enumerate(made)]


@pytest.fixture(scope="module")
def leaking():
    """A word in right options; 30 test items are training items, ten of them with another gold."""
    train, test = part(240, 1, cued), part(150, 2, cued, k=3)
    for n in range(30):
        moved = (train[n]["answer"] + 1) % 4 if n < 10 else train[n]["answer"]
        test[n] = {**train[n], "answer": moved, "id": test[n]["id"]}
    return examine(test, settings=make_settings(**QUICK), train=train)


def test_a_word_of_right_options_in_both_parts_leaks(leaking):
    result = leaking.result
    assert result.verdict == "LEAKS"
    assert [scheme.scheme for scheme in result.schemes] == ["published"]
    assert "of the published test part, learnt on the training part," in result.reason
    assert any("surely" in cue.ngram for cue in result.cues)


def test_only_the_test_part_is_counted_and_its_copies_are_told(leaking):
    result, split = leaking.result, leaking.result.published
    assert (split.train + split.validation, split.test, result.items) == (240, 150, 150)
    assert (split.duplicates, split.conflicts, split.labels, split.shift) == (30, 10, [], None)
    assert split.same_template >= 30
    assert result.options.sizes == [[3, 120], [4, 30]]
    assert [entry.items for entry in split.kappas[:2]] == [150, 120]
    scores = leaking.item_scores()
    assert len(scores) == 150
    assert {score.train for score in scores if score.shares == "duplicate"} == {f"1-{n}" for n in range(30)}
    assert all(giveaway.id.startswith("2-") for giveaway in result.giveaways)


def test_a_cue_that_only_the_test_part_has_is_neither_found_nor_shown():
    result = hansproof.audit(part(150, 2, cued, 1.0), train=part(240, 1), **QUICK)
    assert result.verdict != "LEAKS"
    assert not any("surely" in cue.ngram for cue in result.cues)
    assert result.single_ngrams is None or not any("surely" in test.ngram for test in result.single_ngrams.worst)


def test_a_position_is_learnt_from_the_training_part():
    first = [{**row, "answer": row["choices"][0]} for row in part(120, 1)]
    last = [{**row, "answer": row["choices"][3]} for row in part(120, 2)]
    of = hansproof.audit(last, train=first, **QUICK)
    learnt = next(rule for rule in of.options.rules if rule.learnt)
    assert (learnt.rule, learnt.accuracy) == ("the most common position (learnt)", 0.0)
    # That of the test part alone is imbalanced all the same.
    assert of.reason.startswith("always giving the most common position is right for 100.0 % of the items")
    assert (of.verdict, "the most common position is right for 100.0 %" in of.advice[0]) == ("IMBALANCED", True)


def test_right_options_that_are_those_of_training_items_are_copies():
    train, test = part(240, 1), part(300, 2)
    for row, known in zip(test[:200], train, strict=False):
        row["choices"][row["answer"]] = known["choices"][known["answer"]]
    wrong = {text for row in [*train, *test] for at, text in enumerate(row["choices"]) if at != row["answer"]}
    copies = sum(row["choices"][row["answer"]] not in wrong for row in test[:200])
    assert copies > 190
    of = hansproof.audit(test, train=train, **QUICK)
    assert (of.published.duplicates, of.published.near_duplicates) == (copies, 0)
    assert of.verdict == "TEMPLATE-BOUND"
    assert f"on the {300 - copies} test items with no copy in the training part" in of.reason
    dropped = f"Drop the {copies} test items that copy the text or the right option of a training item"
    assert of.advice[0].startswith(dropped)


def test_a_null_split_is_no_leak_and_says_what_it_would_have_found():
    null = hansproof.audit(part(300, 100), train=part(300, 200), **QUICK)
    assert null.verdict in ("CLEAN", "INCONCLUSIVE")
    assert [cue.kind for cue in null.findable] == ["1 word of right options", "50 words of right options"]
    assert null.findable[0].kappa < 0.4


def test_a_column_divides_items_with_options_too():
    made = [{**row, "split": ("train", "dev", "test")[n % 3]} for n, row in enumerate(part(360, 1, cued, 0.8))]
    result = hansproof.audit(made, protocol="published", **QUICK)
    assert (result.verdict, result.published.validation, result.published.test) == ("LEAKS", 120, 120)


def test_a_shared_question_or_set_of_options_is_a_shared_template():
    train, test = part(120, 1), part(60, 2)
    for n in range(5):
        test[n]["question"] = train[n]["question"]
        test[n + 5]["choices"] = train[n + 5]["choices"][::-1]
    split = hansproof.audit(test, train=train, **QUICK).published
    assert {item.test for item in split.examples} >= {f"2-{n}" for n in range(10)}


def test_a_training_part_without_options_is_refused():
    test = [
        {"InputSentence1": f"Ann met {n}.", "InputSentence2": "They ate.", "InputSentence3": "It rained.",
         "InputSentence4": "They ran.", "RandomFifthSentenceQuiz1": f"Ann was wet {n}.",
         "RandomFifthSentenceQuiz2": f"Ann flew {n}.", "AnswerRightEnding": n % 2 + 1}
        for n in range(60)
    ]  # fmt: skip
    train = [{f"sentence{k}": f"Story {n}, sentence {k}." for k in range(1, 6)} for n in range(60)]
    with pytest.raises(InputError, match=r"have options of their own .* those of the training part have none"):
        hansproof.audit(test, train=train, **QUICK)


def test_choices_are_those_of_a_scikit_learn_regression_on_the_same_parts():
    made = made_options.benchmark(made_options.rows(300, cued, 0.5))
    pool = OptionPool.of(made, made.options)
    train, test = np.arange(200), np.arange(200, 300)
    vector = by_name("word-1-presence")
    task = OptionTask(tables(pool), pool)
    rows = SplitRows(train, train[:0], test, True)
    (scores,) = score_parts(task, rows, [vector.__class__(**{**vector.__dict__, "table": "option"})], Fitting(42))
    words = CountVectorizer(binary=True, min_df=2)
    learnt, held = ([pool.texts[row] for row in pool.rows_of(of)] for of in (train, test))
    model = LogisticRegression().fit(words.fit_transform(learnt), pool.answers(pool.gold)[pool.rows_of(train)])
    likely = model.predict_proba(words.transform(held))[:, 1].reshape(100, 4)
    right = likely.argmax(axis=1) == (pool.gold - pool.start[:-1])[test]
    part = pool.taken(test)
    hits = scores.matched[0][part.gold]
    assert right.mean() > 0.4
    assert hits.mean() == pytest.approx(right.mean(), abs=0.03)
