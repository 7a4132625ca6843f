"""Prompt styles: what is added around an item's prompt, and that exemplars never meet an item under test."""

from dataclasses import replace
from hashlib import sha256

import pytest

from generators.dataset import Dataset, Subset
from generators.errors import UsageError
from generators.item import Item
from generators.registry import MODULES, dataset
from generators.styles.prompts import EXEMPLARS_FROM, STYLES, Style, exemplars, follow_up, render

PLANTED = dataset("planted-cues")


def sum_item(index, seed=1, choices=None):
    metadata = {"dataset": "sums", "version": "1.0.0", "subset": "s", "seed": seed, "canary": "c"}
    name = f"sums/1.0.0/s/{index:06d}"
    return Item(name, f"What is {index} + 1?", choices, str(index + 1), name, "c", metadata)


def family(make, limit=None):
    subsets = {"s": Subset(10, "all", limit=limit)}
    return Dataset("sums", "1.0.0", "", "", 1, "c", subsets, make, lambda item: [], {}, "", "", "")


ITEM = sum_item(4)
SHOTS = [sum_item(1), sum_item(2)]


def counted_on(item):
    return f"One more than {int(item.answer) - 1} is {item.answer}."


def test_zero_shot_is_the_prompt_itself():
    assert render(ITEM, "zero-shot", chat=False) == "What is 4 + 1?"
    assert render(ITEM, "zero-shot", chat=True) == [{"role": "user", "content": "What is 4 + 1?"}]


def test_chain_of_thought_asks_for_steps_after_the_prompt():
    asked = "What is 4 + 1?\n\nWork it out one step at a time, and give the answer only after that."
    assert render(ITEM, "zero-shot-cot", chat=False) == asked
    assert render(ITEM, "zero-shot-cot", chat=True) == [{"role": "user", "content": asked}]


def test_exemplars_come_first_in_their_order_and_the_last_answer_is_open():
    assert render(ITEM, "few-shot", chat=False, exemplars=SHOTS) == (
        "Question:\nWhat is 1 + 1?\n\nAnswer:\n2\n\n"
        "Question:\nWhat is 2 + 1?\n\nAnswer:\n3\n\n"
        "Question:\nWhat is 4 + 1?\n\nAnswer:\n"
    )
    assert render(ITEM, "few-shot", chat=True, exemplars=SHOTS) == [
        {"role": "user", "content": "What is 1 + 1?"},
        {"role": "assistant", "content": "2"},
        {"role": "user", "content": "What is 2 + 1?"},
        {"role": "assistant", "content": "3"},
        {"role": "user", "content": "What is 4 + 1?"},
    ]


def test_reasoning_leads_to_each_exemplars_answer():
    text = render(ITEM, "few-shot-cot", chat=False, exemplars=SHOTS[:1], reasoning=counted_on)
    assert text == (
        "Question:\nWhat is 1 + 1?\n\nAnswer:\nOne more than 1 is 2.\n\n2\n\nQuestion:\nWhat is 4 + 1?\n\nAnswer:\n"
    )
    chat = render(ITEM, "few-shot-cot", chat=True, exemplars=SHOTS[:1], reasoning=counted_on)
    assert chat[1] == {"role": "assistant", "content": "One more than 1 is 2.\n\n2"}


def test_an_answer_is_worded_as_the_prompt_wants_it():
    given = {"exemplars": SHOTS[:1], "solution": lambda item: f"sum: {item.answer}"}
    assert render(ITEM, "few-shot", chat=True, **given)[1]["content"] == "sum: 2"
    worked = render(ITEM, "few-shot-cot", chat=True, reasoning=counted_on, **given)
    assert worked[1]["content"] == "One more than 1 is 2.\n\nsum: 2"


@pytest.mark.parametrize("name", [name for name in STYLES if name.startswith("persona-")])
def test_a_persona_is_the_system_message_or_the_first_paragraph(name):
    persona = STYLES[name].persona
    assert persona.startswith("You are ")
    assert render(ITEM, name, chat=False) == f"{persona}\n\nWhat is 4 + 1?"
    system, user = render(ITEM, name, chat=True)
    assert system == {"role": "system", "content": persona}
    assert user == {"role": "user", "content": "What is 4 + 1?"}


def test_a_step_back_asks_for_the_principle_first():
    text = render(ITEM, "step-back", chat=False)
    assert text.startswith("What is 4 + 1?\n\nBefore you answer, take a step back.")
    assert text.index("principle") < text.index("answer last")


def test_a_style_of_ones_own_can_have_all_parts():
    style = Style("mine", persona="You are a clerk.", request="Be brief.", shots=True)
    text = render(ITEM, style, chat=False, exemplars=SHOTS[:1])
    assert text == (
        "You are a clerk.\n\nQuestion:\nWhat is 1 + 1?\n\nAnswer:\n2\n\n"
        "Question:\nWhat is 4 + 1?\n\nBe brief.\n\nAnswer:\n"
    )


@pytest.mark.parametrize("chat", [True, False])
@pytest.mark.parametrize("name", STYLES)
def test_no_style_shows_the_gold_answer_or_the_metadata(name, chat):
    # The gold of this item is a word that can come from nowhere else.
    item = replace(ITEM, answer="quincunx", metadata={**ITEM.metadata, "canary": "quincunx"})
    given = {"exemplars": SHOTS} if STYLES[name].shots else {}
    out = str(render(item, name, chat=chat, reasoning=counted_on, **given))
    assert "quincunx" not in out
    assert "What is 4 + 1?" in out
    assert render(item, name, chat=chat, reasoning=counted_on, **given) == render(
        item, STYLES[name], chat=chat, reasoning=counted_on, **given
    )


@pytest.mark.parametrize(
    ("style", "given", "message"),
    [
        ("zero-shots", {}, r"^no prompt style is called 'zero-shots'\. Did you mean 'zero-shot'\? Known: zero-shot, "),
        ("few-shot", {}, r"^few-shot wants exemplars"),
        ("zero-shot", {"exemplars": SHOTS}, r"^zero-shot shows no exemplars, but 2 were given$"),
        ("few-shot-cot", {"exemplars": SHOTS}, r"^few-shot-cot shows reasoning; pass the function"),
        ("few-shot-cot", {"exemplars": SHOTS, "reasoning": lambda item: " \n"}, r"no reasoning for .*'sums/1.0.0/s/0"),
        ("few-shot", {"exemplars": [*SHOTS, ITEM]}, r"^the exemplar 'sums/1.0.0/s/000004' is the item under test"),
        ("few-shot", {"exemplars": [replace(SHOTS[0], prompt=ITEM.prompt)]}, r"000001' is the item under test"),
        ("few-shot", {"exemplars": [replace(ITEM, prompt="other")]}, r"000004' is the item under test"),
        (Style("", shots=True), {}, r"^this style wants exemplars"),
    ],
)
def test_what_cannot_be_asked_is_refused(style, given, message):
    with pytest.raises(UsageError, match=message):
        render(ITEM, style, chat=False, **given)


def test_exemplars_are_the_same_for_the_same_seed_and_others_for_another():
    four = exemplars(PLANTED, "none", 4, 7)
    assert exemplars(PLANTED, "none", 4, 7) == four
    assert not {one.prompt for one in four} & {one.prompt for one in exemplars(PLANTED, "none", 4, 8)}
    other = exemplars(PLANTED, "unigram", 4, 7)
    assert {one.metadata["seed"] for one in four} != {one.metadata["seed"] for one in other}


@pytest.mark.parametrize("name", MODULES)
def test_exemplars_are_outside_every_release(name):
    family = dataset(name)
    for subset, one in list(family.subsets.items())[:3]:
        few = one.limit is not None
        if few and one.limit <= one.rows:
            continue  # all of it is released
        shots = exemplars(family, subset, 2 if few else 8, family.seed)
        assert len({shot.prompt for shot in shots}) == len({shot.id for shot in shots}) == (2 if few else 8)
        assert one.rows < EXEMPLARS_FROM
        first = one.rows if few else EXEMPLARS_FROM
        assert all(int(shot.id.rsplit("/", 1)[1]) >= first for shot in shots)
        assert all(shot.metadata["seed"] != family.seed for shot in shots)
        assert all(family.check(shot) == [] for shot in shots)


def test_where_items_are_few_no_exemplar_is_a_released_one():
    # 60 sums in an order that the seed turns: behind the 10 released ones another seed makes some of them again.
    few = family(lambda subset, seed, i: sum_item((i + seed) % 60, seed), limit=60)
    released = {few.item("s", few.seed, i).prompt for i in range(10)}
    shots = [exemplars(few, "s", 2, seed) for seed in range(20)]
    assert not released & {one.prompt for pair in shots for one in pair}
    assert len({one.prompt for pair in shots for one in pair}) > 5


@pytest.mark.parametrize("k", [2, 4, 8, 16])
def test_labels_are_even_over_exemplars(k):
    answers = [one.answer for one in exemplars(PLANTED, "imbalance", k, 7)]  # three of four answers there are no
    assert answers.count("yes") == answers.count("no") == k // 2


def test_an_odd_number_of_exemplars_is_as_even_as_it_can_be():
    answers = [one.answer for one in exemplars(PLANTED, "imbalance", 5, 7)]
    assert sorted((answers.count("yes"), answers.count("no"))) == [2, 3]


def test_one_group_gives_one_exemplar():
    groups = [one.group for one in exemplars(PLANTED, "template-only", 60, 7)]
    assert len(set(groups)) == 60


def test_a_label_that_never_comes_does_not_keep_exemplars_back():
    always = family(lambda subset, seed, i: replace(sum_item(i, seed), answer="no", choices=("yes", "no")))
    assert [one.answer for one in exemplars(always, "s", 3, 1)] == ["no"] * 3


@pytest.mark.parametrize(
    ("made", "subset", "k", "message"),
    [
        (family(lambda *key: sum_item(1)), "s", 2, r"^sums/s has only 1 exemplars beside the released items, not 2$"),
        (family(lambda subset, seed, i: sum_item(i % 13), limit=40), "s", 4, r"has only 3 exemplars beside"),
        (family(lambda subset, seed, i: sum_item(i), limit=10), "s", 1, r"has only 0 exemplars beside"),
        (PLANTED, "nonne", 2, r"^planted-cues has no subset 'nonne'; it has none, unigram, "),
        (PLANTED, "none", 0, r"^the number of exemplars is 1 or more, not 0$"),
    ],
)
def test_exemplars_that_cannot_be_had_are_refused(made, subset, k, message):
    with pytest.raises(UsageError, match=message):
        exemplars(made, subset, k, 7)


TWO_TURNS = [name for name, one in STYLES.items() if one.follow_up]


def test_direct_asks_for_the_number_alone():
    asked = "What is 4 + 1?\n\nAnswer with one number in digits. Write the number and nothing else."
    assert render(ITEM, "direct", chat=False) == asked


def test_the_styles_from_before_have_one_turn_and_say_what_they_said():
    assert TWO_TURNS == ["two-turn-cot", "child-two-turn-cot"]
    before = list(STYLES)[:8]
    said = "\n".join(str(render(ITEM, name, chat=True)) for name in before if not STYLES[name].shots)
    assert sha256(said.encode()).hexdigest() == "343c9e5aa1c75114fe72a2aa646e5ca343ac2050373ebecdfc4f87235407b178"


def test_the_second_turn_is_the_whole_conversation_with_the_reply_in_it():
    first = render(ITEM, "child-two-turn-cot", chat=True)
    assert [one["role"] for one in first] == ["system", "user"]
    assert "child at primary school" in first[0]["content"]
    second = follow_up(ITEM, "child-two-turn-cot", " 4 and 1 is 5.\n", chat=True)
    assert second == [
        *first,
        {"role": "assistant", "content": " 4 and 1 is 5.\n"},
        {"role": "user", "content": STYLES["child-two-turn-cot"].follow_up},
    ]


def test_the_second_turn_of_a_text_is_one_text():
    first = render(ITEM, "two-turn-cot", chat=False)
    second = follow_up(ITEM, "two-turn-cot", " 4 and 1 is 5.\n", chat=False)
    assert second == f"{first}\n\n4 and 1 is 5.\n\n{STYLES['two-turn-cot'].follow_up}"
    assert first.startswith("What is 4 + 1?\n\n")


def test_only_the_second_turn_asks_for_the_number_alone():
    for name in TWO_TURNS:
        assert "nothing else" not in str(render(ITEM, name, chat=True))
        assert "nothing else" in str(follow_up(ITEM, name, "5", chat=True))


def test_a_style_of_ones_own_can_have_exemplars_and_two_turns():
    style = Style("mine", shots=True, follow_up="Sure?")
    text = follow_up(ITEM, style, "5", chat=False, exemplars=SHOTS[:1])
    assert text == ("Question:\nWhat is 1 + 1?\n\nAnswer:\n2\n\nQuestion:\nWhat is 4 + 1?\n\nAnswer:\n5\n\nSure?")
    chat = follow_up(ITEM, style, "5", chat=True, exemplars=SHOTS[:1])
    assert [one["content"] for one in chat] == ["What is 1 + 1?", "2", "What is 4 + 1?", "5", "Sure?"]


@pytest.mark.parametrize(
    ("style", "reply", "message"),
    [
        ("direct", "5", r"^direct has one turn; styles with a second are two-turn-cot, child-two-turn-cot$"),
        ("two-turn-cot", " \n", r"^the first reply to 'sums/1.0.0/s/000004' is empty"),
        ("two-turns-cot", "5", r"Did you mean 'two-turn-cot'\?"),
    ],
)
def test_a_second_turn_that_cannot_be_is_refused(style, reply, message):
    with pytest.raises(UsageError, match=message):
        follow_up(ITEM, style, reply, chat=True)
