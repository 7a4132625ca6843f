"""Which parts of the prompts are looked at, and how a prompt is split where no column names its parts."""

from __future__ import annotations

import pytest

from hansproof.audit.benchmark import PromptPart
from hansproof.audit.formats.table import Row
from hansproof.audit.reading.guesses import parts_of
from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.shortcuts.prompt_parts import marked_parts, partial_inputs, split_ends

N = 40
PREMISES = [f"The cat number {n} sleeps. It is night." for n in range(N)]
HYPOTHESES = [f"Cat {n} is awake." for n in range(N)]
PAIR = (PromptPart("premise", PREMISES), PromptPart("hypothesis", HYPOTHESES))
JOINED = [f"{p}\n{h}" for p, h in zip(PREMISES, HYPOTHESES)]


def names(inputs):
    return [entry.name for entry in inputs.inputs]


def test_two_columns_give_each_part_alone_and_no_sentences():
    inputs = partial_inputs(JOINED, PAIR)
    assert names(inputs) == ["premise only", "hypothesis only"]
    assert inputs.inputs[1].texts == HYPOTHESES
    assert inputs.how == "The parts are the columns premise and hypothesis."


def test_the_fuller_set_adds_the_sentences():
    assert names(partial_inputs(JOINED, PAIR, fuller=True)) == [
        "premise only", "hypothesis only", "first sentence only",
    ]  # fmt: skip
    twins = dict(partial_inputs(JOINED, PAIR, fuller=True).left_out)
    assert twins["last sentence only"] == "the same texts as hypothesis only"
    assert twins["all but the last sentence"] == "the same texts as premise only"


def test_of_three_parts_each_is_left_out_too():
    word = PromptPart("word", [f"w{n}" for n in range(N)])
    inputs = partial_inputs([f"w{n}\n{text}" for n, text in enumerate(JOINED)], (word, *PAIR))
    assert names(inputs)[3:] == ["all but the word", "all but the premise", "all but the hypothesis"]
    assert inputs.inputs[4].texts[2] == f"w2\n{HYPOTHESES[2]}"


def test_a_part_that_the_prompt_does_not_show_is_said_to_be_outside():
    assert "the prompts do not contain premise" in partial_inputs(HYPOTHESES, PAIR).how


def test_marks_at_the_beginning_of_lines_split_the_prompt():
    prompts = [f"Answer yes or no.\n\nPremise: {p}\nHypothesis: {h}" for p, h in zip(PREMISES, HYPOTHESES)]
    inputs = partial_inputs(prompts, ())
    assert names(inputs) == ["premise only", "hypothesis only"]  # the instruction is the same in all
    assert [entry.texts for entry in inputs.inputs] == [PREMISES, HYPOTHESES]
    assert inputs.how == "The prompts were split at lines that begin with “Premise:” and “Hypothesis:”."


@pytest.mark.parametrize("mark", ["Q:", "Question:", "**Question**:", "## Question:"])
def test_what_stands_before_the_question_is_the_passage(mark):
    prompts = [f"{p}\n{mark} {h[:-1]}?" for p, h in zip(PREMISES, HYPOTHESES)]
    inputs = partial_inputs(prompts, ())
    assert names(inputs) == ["passage only", "question only"]
    assert inputs.inputs[0].texts == PREMISES
    assert inputs.how.endswith("“Question:”, and what stands before them.")


def test_a_mark_that_a_tenth_of_the_prompts_lack_or_repeat_is_none():
    assert marked_parts(["Note: a"] * 8 + ["b"] * 2) == {}
    assert marked_parts(["Note: a\nNote: b"] * 10) == {}
    parts = marked_parts([f"Ann: {n}\nBob: {n}" for n in range(19)] + ["no mark"])
    assert parts["ann"][3] == "3"
    assert (parts["ann"][19], parts["bob"][19], parts["passage"][19]) == ("", "", "no mark")


def test_without_parts_the_prompt_is_split_into_sentences():
    prompts = [f"Dr. Smith {n} went home. He slept. Nobody saw number {n}." for n in range(N)]
    inputs = partial_inputs(prompts, ())
    assert names(inputs) == ["first sentence only", "last sentence only", "all but the last sentence"]
    assert [entry.texts[7] for entry in inputs.inputs] == [
        "Dr. Smith 7 went home.", "Nobody saw number 7.", "Dr. Smith 7 went home. He slept.",
    ]  # fmt: skip


def test_a_last_sentence_that_asks_is_the_question():
    prompts = [f"A box holds {n} pens. Another is empty. How many are there, {n}?" for n in range(N)]
    inputs = partial_inputs(prompts, ())
    assert names(inputs) == ["first sentence only", "question only", "all but the question"]
    assert inputs.inputs[2].texts[5] == "A box holds 5 pens. Another is empty."


def test_instructions_that_nearly_all_prompts_share_are_left_aside():
    prompts = [
        f"Read this.\nThink well. Kim has {n} pens. It is {n} o'clock. Answer yes or no.\nBe brief." for n in range(N)
    ]
    prompts[3] = "Something else altogether. It is late."
    ends = split_ends(prompts)
    assert prompts[5][ends[5].start : ends[5].first_end].strip() == "Kim has 5 pens."
    assert prompts[5][ends[5].last_start : ends[5].end].strip() == "It is 5 o'clock."
    assert prompts[3][ends[3].start : ends[3].first_end].strip() == "Something else altogether."


def test_single_sentences_have_no_parts_and_each_reason_is_given():
    inputs = partial_inputs([f"Number {n} is even." for n in range(N)], ())
    assert inputs.inputs == []
    assert dict(inputs.left_out) == {
        "first sentence only": "the whole prompt in nearly all items",
        "last sentence only": "the whole prompt in nearly all items",
        "all but the last sentence": "empty in more than half of the items",
    }


def test_a_part_that_never_varies_is_not_tried():
    same = PromptPart("question", ["Is it true?"] * N)
    inputs = partial_inputs(JOINED, (PAIR[0], same))
    assert inputs.left_out == [("question only", "the same in nearly all items")]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "a" * 100_000, "A:\n" * 50_000, "x. " * 50_000, "\u202e\ud800 ?", "。" * 9]
)
def test_odd_prompts_are_split_without_complaint(text):
    prompts = [text, *(f"One {n}. Two {n}." for n in range(9))]
    ends = split_ends(prompts)
    assert all(0 <= at.start <= at.first_end and at.last_start <= at.end <= len(p) for at, p in zip(ends, prompts))
    partial_inputs([text] * 10, ())
    partial_inputs([f"{text}{n}" for n in range(10)], ())


def test_chinese_sentences_end_without_a_blank():
    ends = split_ends([f"猫睡了{n}。狗醒了。鸟飞了{n}。" for n in range(10)])
    assert ends[0] == (0, 5, 9, 14)


RECORDS = [
    {"premise": p, "hypothesis": h, "label": ("yes", "no")[n % 2]} for n, (p, h) in enumerate(zip(PREMISES, HYPOTHESES))
]


def parts(rows, columns=None):
    return {part.name: part.texts for part in load(rows, columns).parts}


def test_columns_named_like_a_pair_are_parts_whatever_the_prompt_is():
    both = {"premise": PREMISES, "hypothesis": HYPOTHESES}
    assert parts(RECORDS) == both
    assert parts(RECORDS, Columns(prompt="hypothesis")) == both
    told = [{**row, "prompt": f"{row['premise']} So {row['hypothesis']}"} for row in RECORDS]
    assert parts(told) == both
    assert parts([{"text": p, "label": row["label"]} for p, row in zip(PREMISES, RECORDS)]) == {}


def test_the_fields_of_a_template_are_parts_and_a_single_one_is_none():
    assert list(parts(RECORDS, Columns(template="{hypothesis} because {premise}"))) == ["hypothesis", "premise"]
    plain = [{"a": p, "b": h, "label": row["label"]} for p, h, row in zip(PREMISES, HYPOTHESES, RECORDS)]
    assert list(parts(plain, Columns(template="{a} / {b}"))) == ["a", "b"]
    assert parts(plain, Columns(template="<{a}>")) == {}


def test_a_value_that_is_no_text_is_an_empty_part():
    rows = [Row("row 1", {"a": {"junk": 1}}), Row("row 2", {"a": 3}), Row("row 3", {}), Row("row 4", {"a": " x "})]
    assert parts_of(rows, ("a",))[0].texts == ["", "3", "", "x"]


def test_parts_follow_their_items_into_text_order():
    ordered, order = load(RECORDS).in_text_order()
    assert order != sorted(order)
    assert ordered.parts[1].texts == [HYPOTHESES[place] for place in order]


def test_items_with_the_same_prompt_are_ordered_by_their_parts():
    rows = [{"premise": f"P {n}", "hypothesis": "Same.", "label": "ab"[n % 2]} for n in range(20)]
    columns = Columns(prompt="hypothesis")
    forth, back = (load(some, columns).in_text_order()[0].parts[0].texts for some in (rows, rows[::-1]))
    assert forth == back
