"""Prompt styles: what is added around an item's prompt, and that exemplars never meet an item under test."""

from dataclasses import replace

import pytest

from hansproof.generators.dataset import NUMBER
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset
from hansproof.generators.styles.rendering import follow_up, render
from hansproof.generators.styles.style import STYLES, Asking, Style


def sum_item(index, seed=1, choices=None):
    metadata = {"dataset": "sums", "version": "1.0.0", "subset": "s", "seed": seed, "canary": "c"}
    name = f"sums/1.0.0/s/{index:06d}"
    return Item(name, f"What is {index} + 1?", choices, str(index + 1), name, "c", metadata)


ITEM = sum_item(4)
SHOTS = [sum_item(1), sum_item(2)]


def counted_on(item):
    return f"One more than {int(item.answer) - 1} is {item.answer}."


REASONED = Asking(replace(NUMBER, reasoning=counted_on), "sums", {"weak": "Mind the one.", "strong": "Add the one."})


def test_zero_shot_is_the_prompt_itself():
    assert render(ITEM, "zero-shot", chat=False) == "What is 4 + 1?"
    assert render(ITEM, "zero-shot", chat=True) == [{"role": "user", "content": "What is 4 + 1?"}]


def test_chain_of_thought_asks_for_steps_after_the_prompt():
    asked = "What is 4 + 1?\n\nWork through this step by step, and give your answer at the end."
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
    text = render(ITEM, "few-shot-cot", chat=False, exemplars=SHOTS[:1], asking=REASONED)
    assert text == (
        "Question:\nWhat is 1 + 1?\n\nAnswer:\nOne more than 1 is 2.\n\n2\n\nQuestion:\nWhat is 4 + 1?\n\nAnswer:\n"
    )
    chat = render(ITEM, "few-shot-cot", chat=True, exemplars=SHOTS[:1], asking=REASONED)
    assert chat[1] == {"role": "assistant", "content": "One more than 1 is 2.\n\n2"}


def test_an_answer_is_worded_as_the_prompt_wants_it():
    form = replace(REASONED.form, solution=lambda item: f"sum: {item.answer}")
    given = {"exemplars": SHOTS[:1], "asking": replace(REASONED, form=form)}
    assert render(ITEM, "few-shot", chat=True, **given)[1]["content"] == "sum: 2"
    worked = render(ITEM, "few-shot-cot", chat=True, **given)
    assert worked[1]["content"] == "One more than 1 is 2.\n\nsum: 2"


@pytest.mark.parametrize("name", [name for name in STYLES if name.startswith("persona-")])
def test_a_persona_is_the_system_message_or_the_first_paragraph(name):
    persona = STYLES[name].persona.replace("{expertise}", "problems of this kind")
    assert persona.startswith("You are ")
    assert "{" not in persona
    assert render(ITEM, name, chat=False) == f"{persona}\n\nWhat is 4 + 1?"
    system, user = render(ITEM, name, chat=True)
    assert system == {"role": "system", "content": persona}
    assert user == {"role": "user", "content": "What is 4 + 1?"}


def test_a_step_back_asks_for_the_principle_first():
    text = render(ITEM, "step-back", chat=False)
    assert text.startswith("What is 4 + 1?\n\nBefore you answer, take a step back:")
    assert text.index("principle") < text.index("answer at the end")


def test_a_style_of_ones_own_can_have_all_parts():
    style = Style("mine", persona="You are a clerk.", request="Be brief.", shots=True)
    text = render(ITEM, style, chat=False, exemplars=SHOTS[:1])
    assert text == (
        "You are a clerk.\n\nQuestion:\nWhat is 1 + 1?\n\nAnswer:\n2\n\n"
        "Question:\nWhat is 4 + 1?\n\nBe brief.\n\nAnswer:\n"
    )


def test_a_text_to_continue_ends_where_the_answer_begins():
    assert render(ITEM, "completion", chat=False) == "Q: What is 4 + 1?\nA:"
    assert render(ITEM, "few-shot-completion", chat=False, exemplars=SHOTS) == (
        "Q: What is 1 + 1?\nA: 2\n\nQ: What is 2 + 1?\nA: 3\n\nQ: What is 4 + 1?\nA:"
    )
    with pytest.raises(UsageError, match=r"^completion is a text for a base model to continue, which a chat is not"):
        render(ITEM, "completion", chat=True)


@pytest.mark.parametrize(
    ("name", "chat"), [(name, chat) for name, style in STYLES.items() for chat in (False, True)[: 2 - style.completion]]
)
def test_no_style_shows_the_gold_answer_or_the_metadata(name, chat):
    # The gold of this item is a word that can come from nowhere else.
    item = replace(ITEM, answer="quincunx", metadata={**ITEM.metadata, "canary": "quincunx"})
    given = {"exemplars": SHOTS} if STYLES[name].shots else {}
    out = render(item, name, chat=chat, asking=REASONED, **given)
    assert "quincunx" not in str(out)
    assert "What is 4 + 1?" in str(out)
    assert render(item, STYLES[name], chat=chat, asking=REASONED, **given) == out


SILENT = replace(REASONED, form=replace(NUMBER, reasoning=lambda item: " \n"))


@pytest.mark.parametrize(
    ("style", "given", "message"),
    [
        ("zero-shots", {}, r"^there is no prompt style 'zero-shots'\. Did you mean 'zero-shot'\? Known: zero-shot, "),
        ("few-shot", {}, r"^few-shot needs solved examples"),
        ("zero-shot", {"exemplars": SHOTS}, r"^zero-shot shows no solved examples, but 2 were given$"),
        (
            "few-shot-cot",
            {"exemplars": SHOTS},
            r"^few-shot-cot shows reasoning, which answers of the form 'number' do not have$",
        ),
        (
            "few-shot-cot",
            {"exemplars": SHOTS, "asking": SILENT},
            r"^the example 'sums/1.0.0/s/000001' has no reasoning",
        ),
        ("hint-weak", {}, r"^sums/s has no weak hint$"),
        ("few-shot", {"exemplars": [*SHOTS, ITEM]}, r"^the example 'sums/1.0.0/s/000004' is the item under test"),
        ("few-shot", {"exemplars": [replace(SHOTS[0], prompt=ITEM.prompt)]}, r"000001' is the item under test"),
        ("few-shot", {"exemplars": [replace(ITEM, prompt="other")]}, r"000004' is the item under test"),
        (Style("", shots=True), {}, r"^this style needs solved examples"),
    ],
)
def test_what_cannot_be_asked_is_refused(style, given, message):
    with pytest.raises(UsageError, match=message):
        render(ITEM, style, chat=False, **given)


TWO_TURNS = [name for name, style in STYLES.items() if style.follow_up]
EXTRACTED = "Now give your final answer. Answer with one number in digits, and nothing else."


def test_direct_asks_for_the_answer_in_the_form_of_the_item():
    asked = "What is 4 + 1?\n\nAnswer with one number in digits, and nothing else."
    assert render(ITEM, "direct", chat=False) == asked
    choice = sum_item(4, choices=("5", "6"))
    assert render(choice, "direct", chat=False).endswith("Answer with 5 or 6, and nothing else.")
    puzzle = dataset("knights-knaves").item("set-S", 1, 0)
    assert "one number" not in render(puzzle, "direct", chat=False)
    assert "one line for each character" in render(puzzle, "direct", chat=False)


def test_a_family_is_asked_in_words_that_fit_it():
    puzzle, problem = dataset("knights-knaves").item("set-S", 1, 0), dataset("word-problems").item("carry", 1, 0)
    assert "expert in logic puzzles" in render(puzzle, "persona-expert", chat=False)
    assert "expert in arithmetic word problems" in render(problem, "persona-expert", chat=False)


def test_a_hint_is_the_familys_own():
    assert render(ITEM, "hint-weak", chat=False, asking=REASONED) == "What is 4 + 1?\n\nMind the one."
    assert render(ITEM, "hint-strong", chat=False, asking=REASONED) == "What is 4 + 1?\n\nAdd the one."


def test_the_second_turn_is_the_whole_conversation_with_the_reply_in_it():
    first = render(ITEM, "child-two-turn-cot", chat=True)
    assert [message["role"] for message in first] == ["system", "user"]
    assert "child in primary school, working on problems of this kind" in first[0]["content"]
    second = follow_up(ITEM, "child-two-turn-cot", " 4 and 1 is 5.\n", chat=True)
    assert second == [
        *first,
        {"role": "assistant", "content": " 4 and 1 is 5.\n"},
        {"role": "user", "content": EXTRACTED},
    ]


def test_the_second_turn_of_a_text_is_one_text():
    first = render(ITEM, "two-turn-cot", chat=False)
    second = follow_up(ITEM, "two-turn-cot", " 4 and 1 is 5.\n", chat=False)
    assert second == f"{first}\n\n4 and 1 is 5.\n\n{EXTRACTED}"
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
    assert [message["content"] for message in chat] == ["What is 1 + 1?", "2", "What is 4 + 1?", "5", "Sure?"]


@pytest.mark.parametrize(
    ("style", "reply", "message"),
    [
        ("direct", "5", r"^direct has only one turn; styles of two turns are two-turn-cot, child-two-turn-cot$"),
        ("two-turn-cot", " \n", r"^the first reply to 'sums/1.0.0/s/000004' is empty"),
        ("two-turns-cot", "5", r"Did you mean 'two-turn-cot'\?"),
    ],
)
def test_a_second_turn_that_cannot_be_is_refused(style, reply, message):
    with pytest.raises(UsageError, match=message):
        follow_up(ITEM, style, reply, chat=True)
