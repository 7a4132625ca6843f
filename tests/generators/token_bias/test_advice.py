"""Hints, worked reasoning and the best-known example: what prompt styles add to a judgement of two statements."""

from dataclasses import replace

import pytest

from hansproof.generators.errors import UsageError
from hansproof.generators.registry import dataset
from hansproof.generators.styles.exemplars import examples_for
from hansproof.generators.styles.rendering import render
from hansproof.generators.styles.style import STYLES, asking_of, check_style, suitable_styles
from hansproof.generators.token_bias.conjunction import CONJUNCTION, check

FAMILY = dataset("token-bias")


def example(style, subset="conjunction-persona"):
    (item,) = examples_for(STYLES[style], FAMILY, subset, 4, 0)
    return item


def test_linda_and_bob_differ_in_name_and_pronouns_alone():
    linda, bob = example("one-shot-linda"), example("one-shot-bob")
    words = {"Linda": "Bob", "she": "he", "She": "He", "her": "his"}
    assert " ".join(words.get(word, word) for word in linda.prompt.split(" ")) == bob.prompt
    assert linda.answer == bob.answer == "(a)"


def test_the_known_examples_are_right_and_the_wrong_one_is_wrong():
    assert [check(example(name)) for name in ("one-shot-linda", "one-shot-bob")] == [[], []]
    wrong = example("one-shot-wrong")
    assert wrong.prompt == example("one-shot-linda").prompt
    assert check(wrong) == ["answer is '(b)', the worlds give '(a)'"]


@pytest.mark.parametrize("subset", CONJUNCTION)
def test_an_example_is_never_an_item_of_a_release(subset):
    shown = {example(style, subset).prompt for style in ("one-shot-linda", "one-shot-bob", "one-shot-wrong")}
    assert len(shown) == 2
    released = {FAMILY.item(subset, FAMILY.seed, index).prompt for index in range(200)}
    assert shown & released == set()
    ids = {example(style, subset).id for style in ("one-shot-linda", "one-shot-bob", "one-shot-wrong")}
    assert ids == {f"token-bias/{FAMILY.version}/{subset}/{number:06d}" for number in (9_999_999, 9_999_998, 9_999_997)}


def test_the_reasoning_ends_at_the_answer_of_every_kind_of_item():
    reasons = FAMILY.subsets["balanced-persona"].form.reasoning
    kinds = set()
    for index in range(64):
        item = FAMILY.item("balanced-persona", 2, index)
        lines = reasons(item).split("\n")
        more_probable = lines[2].split()[1]
        wanted = item.metadata["question"]
        assert lines[3] == f"The question asks for the {wanted} probable one."
        assert (item.answer == more_probable) == (wanted == "more")
        assert lines[0].startswith(f"Statement {'(a)' if item.metadata['shorter'] == '(b)' else '(b)'} ")
        kinds.add((item.metadata["connective"], wanted, item.metadata["shorter"]))
    assert len(kinds) == 8


@pytest.mark.parametrize("subset", CONJUNCTION)
def test_every_style_that_the_paper_has_suits_every_subset(subset):
    item = FAMILY.item(subset, 1, 0)
    asking = asking_of(item)
    assert set(suitable_styles(asking)) == set(STYLES)
    weak, strong = (render(item, f"hint-{name}", chat=False) for name in ("weak", "strong"))
    assert weak.endswith("\n\nWatch out for the conjunction fallacy.")
    assert "never more probable than either of them" in strong
    text = render(item, "hint-weak-cot", chat=False)
    assert text.endswith("fallacy.\n\nWork through this step by step, and give your answer at the end.")
    both = examples_for(STYLES["hint-strong-few-shot-cot"], FAMILY, subset, 1, 0)
    shown = render(item, "hint-strong-few-shot-cot", chat=True, exemplars=both)
    assert [message["role"] for message in shown] == ["user", "assistant", "user"]
    assert shown[1]["content"].endswith(f"probable one.\n\n{both[0].answer}")


def test_a_subset_without_the_example_is_told():
    item = FAMILY.item("conjunction-persona", 1, 0)
    bare = replace(asking_of(item), examples={})
    with pytest.raises(UsageError, match="has no example of the name 'linda' for it"):
        check_style(STYLES["one-shot-linda"], "one-shot-linda", bare)
    plain = replace(FAMILY, subsets={"s": replace(FAMILY.subsets["conjunction-persona"], examples={})})
    with pytest.raises(UsageError, match=r"^token-bias/s has no example 'linda'"):
        examples_for(STYLES["one-shot-linda"], plain, "s", 1, 0)


def test_drawn_examples_of_balanced_subsets_are_of_both_connectives():
    drawn = [
        item.metadata["connective"]
        for seed in range(8)
        for item in examples_for(STYLES["few-shot"], FAMILY, "balanced-persona", 4, seed)
    ]
    assert 8 <= drawn.count("and") <= 24
