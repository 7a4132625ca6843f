"""Pairs of preference in the forms in which they are published, and what of them is left out."""

import json

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError

N = 40
PAIRS = [(f"Tell me of case {k}.", f"A good reply to {k}", f"Bad {k}") for k in range(N)]


def said(text, *turns):
    roles = ("user", "assistant")
    return [{"role": roles[at % 2], "content": of} for at, of in enumerate((*turns, text))]


def transcript(text, prompt):
    return f"\n\nHuman: {prompt}\n\nAssistant: Hm?\n\nHuman: Go on.\n\nAssistant: {text}"


FORMS = {
    "columns of texts": [{"prompt": p, "chosen": c, "rejected": r, "chosen_model": "m"} for p, c, r in PAIRS],
    "chats with the prompt": [{"chosen": said(c, p), "rejected": said(r, p), "score_chosen": 9} for p, c, r in PAIRS],
    "chats beside the prompt": [
        {"prompt": p, "chosen": said(c, p)[1:], "rejected": said(r, p)[1:]}
        for p, c, r in PAIRS
    ],
    "transcripts": [{"chosen": transcript(c, p), "rejected": transcript(r, p)} for p, c, r in PAIRS],
    "lists of replies": [{"prompt": p, "chosen": [c], "rejected": [r], "num_correct": 1} for p, c, r in PAIRS],
    "numbered": [{"prompt": p, "chosen": c, "rejected_1": r, "rejected_2": None} for p, c, r in PAIRS],
    "the winning model": [
        {"question": p, "model_a": "x", "model_b": "y", "winner": ("model_a", "model_b")[k % 2],
         "response_a": (c, r)[k % 2], "response_b": (r, c)[k % 2]} for k, (p, c, r) in enumerate(PAIRS)
    ],
    "conversations": [
        {"winner": ("model_a", "model_b")[k % 2], "conversation_a": said((c, r)[k % 2], p),
         "conversation_b": said((r, c)[k % 2], p)} for k, (p, c, r) in enumerate(PAIRS)
    ],
    "a number from 1": [
        {"input": p, "output_1": (c, r)[k % 2], "output_2": (r, c)[k % 2], "label": k % 2 + 1}
        for k, (p, c, r) in enumerate(PAIRS)
    ],
    "a number from 0": [
        {"prompt": p, "response_0": (c, r)[k % 2], "response_1": (r, c)[k % 2], "better_response_id": k % 2}
        for k, (p, c, r) in enumerate(PAIRS)
    ],
    "a judgement": [
        {"question": p, "response_A": (c, r)[k % 2], "response_B": (r, c)[k % 2],
         "label": ("A>B", "[[B]]", "A>>B", "A<B")[k % 4]}
        for k, (p, c, r) in enumerate(PAIRS)
    ],
    "a column for each winner": [
        {"prompt": p, "response_a": (c, r)[k % 2], "response_b": (r, c)[k % 2],
         "winner_model_a": 1 - k % 2, "winner_model_b": k % 2, "winner_tie": 0} for k, (p, c, r) in enumerate(PAIRS)
    ],
    "chats of another form": [
        {name: [{"from": turn["role"], "value": turn["content"]} for turn in said(text, p)]
         for name, text in (("chosen", c), ("rejected", r))} for p, c, r in PAIRS
    ],
    "answers with a preference": [
        {"question": p, "answer_a": (c, r)[k % 2], "answer_b": (r, c)[k % 2], "preference": "ab"[k % 2]}
        for k, (p, c, r) in enumerate(PAIRS)
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_same_items(form):
    made = load(FORMS[form])
    asked = "\nHm?\nGo on." if form == "transcripts" else ""
    assert made.prompts == [prompt + asked for prompt, _, _ in PAIRS]
    assert made.answers == [chosen for _, chosen, _ in PAIRS]
    assert made.options.pairs
    assert not made.left_out
    for (_, chosen, rejected), texts, gold in zip(PAIRS, made.options.texts, made.options.gold, strict=True):
        assert sorted(texts) == sorted([chosen, rejected])
        assert texts[gold] == chosen


@pytest.mark.parametrize("form", ["columns of texts", "transcripts", "lists of replies"])
def test_the_chosen_reply_stands_first_by_its_text_alone(form):
    made = load(FORMS[form])
    assert 10 < sum(made.options.gold) < 30
    assert not made.options.ordered  # so no position is a cue
    turned = load([{**row, "chosen": row["rejected"], "rejected": row["chosen"]} for row in FORMS[form]])
    assert turned.options.texts == made.options.texts
    assert [1 - gold for gold in turned.options.gold] == made.options.gold


def test_a_chat_beside_the_pair_is_not_taken_for_the_item(tmp_path):
    rows = [{"prompt": p, "chosen": said(c, p), "rejected": said(r, p), "messages": said(c, p)} for p, c, r in PAIRS]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    made = load(file)
    assert made.options.pairs
    assert made.prompts == [prompt for prompt, _, _ in PAIRS]


def test_replies_that_have_places_keep_them():
    made = load(FORMS["the winning model"])
    assert made.options.gold == [0, 1] * (N // 2)
    assert made.options.ordered
    first = load([row for row in FORMS["the winning model"] if row["winner"] == "model_a"])
    assert (first.options.gold, first.options.ordered) == ([0] * (N // 2), True)


def test_all_columns_that_name_a_winner_are_told():
    made = load(FORMS["a column for each winner"])
    assert made.mapping.answer == "winner_model_a, winner_model_b, winner_tie"
    again = load(FORMS["a column for each winner"], Columns(answer=made.mapping.answer))
    assert again.options.gold == made.options.gold == [0, 1] * (N // 2)


def test_several_rejected_replies_are_options_of_one_item():
    rows = [{"prompt": p, "chosen": c, "rejected": [r, f"{r} again", f"{r} twice"]} for p, c, r in PAIRS]
    assert {len(texts) for texts in load(rows).options.texts} == {4}


def test_a_reply_that_looks_like_a_list_is_one_reply():
    rows = [{"prompt": p, "chosen": f"[0, {k}]", "rejected": f"['a', '{k}']"} for k, (p, _, _) in enumerate(PAIRS)]
    made = load(rows)
    assert {len(texts) for texts in made.options.texts} == {2}
    assert made.answers[3] == "[0, 3]"


def test_ties_are_left_out_with_a_note_and_faulty_rows_with_a_reason():
    rows = [dict(row) for row in FORMS["the winning model"]]
    for at, value in ((0, "tie"), (1, "tie (bothbad)"), (2, "both"), (3, None)):
        rows[at]["winner"] = value
    made = load(rows)
    assert len(made.prompts) == N - 4
    assert "left out: 3 pairs without a preference (ties)" in made.notes
    assert [row.full_reason for row in made.left_out] == ["no preference"]


def test_two_winners_are_no_winner():
    rows = [dict(row) for row in FORMS["a column for each winner"]]
    rows[0].update(winner_model_a=1, winner_model_b=1)
    made = load(rows, max_left_out=1)
    assert len(made.prompts) == N - 1
    assert made.left_out[0].reason == "no preference"


def test_a_column_for_one_winner_alone_says_nothing():
    rows = [{**row, "gold": "xyz"[k % 3]} for k, row in enumerate(FORMS["a column for each winner"])]
    for row in rows:
        del row["winner_model_a"]
    assert load(rows).mapping.answer == "gold"


def test_ties_alone_are_no_items_and_are_told():
    rows = [{**row, "winner": "tie"} for row in FORMS["the winning model"]]
    with pytest.raises(InputError, match="no rows, so there are no items; left out: 40 pairs without a preference"):
        load(rows)


def test_equal_several_and_missing_replies_are_left_out_with_a_reason():
    rows = [dict(row) for row in FORMS["columns of texts"]] + [
        dict(FORMS["columns of texts"][k], prompt=f"More {k}") for k in range(20)
    ]
    rows[0]["rejected"] = rows[0]["chosen"].upper()
    rows[1]["chosen"] = ["one", "two"]
    rows[2]["rejected"] = ""
    rows[3]["chosen"] = {"text": "no text"}
    made = load(rows)
    assert made.options.faults[0] == "two options are equal"
    assert [row.full_reason for row in made.left_out] == [
        "several replies are chosen", "no reply is rejected", "a reply is no text",
    ]  # fmt: skip


def test_one_mark_alone_is_read_as_the_columns_are_called():
    for first in (0, 1):
        rows = [{"prompt": p, f"output_{first}": c, f"output_{first + 1}": r, "label": 1} for p, c, r in PAIRS]
        assert set(load(rows).options.gold) == {1 - first}


def test_what_the_user_names_wins():
    rows = [{**row, "mark": "xy"[k % 2]} for k, row in enumerate(FORMS["columns of texts"])]
    assert load(rows, Columns(answer="mark")).answers == ["x", "y"] * (N // 2)
    named = load(rows, Columns(answer="chosen", choices="chosen,rejected"))
    assert named.options.pairs
    assert not {"answer", "choices"} & {*named.mapping.guessed}
    assert {"answer", "choices"} <= {*load(rows).mapping.guessed}
    assert set(load(rows, Columns(group="mark")).groups) == {"x", "y"}


def test_other_columns_of_two_texts_are_no_pairs():
    sentences = [{"text1": c, "text2": r, "label": k % 2} for k, (_, c, r) in enumerate(PAIRS)]
    assert load(sentences).options is None
    options = [{"question": p, "answer_1": c, "answer_2": r, "label": k % 2 + 1} for k, (p, c, r) in enumerate(PAIRS)]
    assert not load(options).options.pairs
    alike = [{"prompt": p, "response_a": c, "response_b": r, "label": ("same", "other")[k % 2]}
             for k, (p, c, r) in enumerate(PAIRS)]  # fmt: skip
    assert load(alike).answers[:2] == ["same", "other"]
