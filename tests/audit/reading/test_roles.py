"""Which column plays which role, and what its values become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError, UsageError

N = 40
TEXTS = [f"item number {n}" for n in range(N)]
GOLDS = [("yes", "no")[n % 2] for n in range(N)]
RECORDS = [{"text": text, "label": gold} for text, gold in zip(TEXTS, GOLDS)]


def save(tmp_path: Path, rows: list[Any], name: str = "bench.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_our_own_items_keep_their_groups_and_ids(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"x/{n}",
            "prompt": TEXTS[n],
            "choices": ["yes", "no"],
            "answer": GOLDS[n],
            "group": f"g{n // 2}",
            "condition": "original",
            "metadata": {"subset": f"s{n % 2}"},
        }
        for n in range(N)
    ]
    benchmark = load(save(tmp_path, rows))
    assert benchmark.ids[5] == "x/5"
    assert benchmark.groups == [f"g{n // 2}" for n in range(N)]
    assert benchmark.choices == [["yes", "no"]] * N
    assert benchmark.mapping.guessed == ("group", "choices")
    assert load(save(tmp_path, rows), Columns(group="metadata.subset")).groups == [f"s{n % 2}" for n in range(N)]


@pytest.mark.parametrize(
    ("values", "used"), [([n // 2 for n in range(N)], True), (list(range(N)), False), ([0] * N, False)]
)
def test_a_group_column_is_guessed_only_where_it_groups(tmp_path: Path, values: list[int], used: bool) -> None:
    benchmark = load(save(tmp_path, [{**row, "pair_id": value} for row, value in zip(RECORDS, values)]))
    assert (benchmark.groups is not None) is used
    assert benchmark.groups is None or benchmark.groups[2] == "1"
    named = load(save(tmp_path, [{**row, "template": "t"} for row in RECORDS]))
    assert named.groups is None


def test_an_item_without_a_group_stands_alone() -> None:
    rows = [{**row, "group": None if n == 3 else n // 4} for n, row in enumerate(RECORDS)]
    groups = load(rows).groups
    assert groups is not None
    assert groups[2:5] == ["0", "alone: row 4", "1"]


def test_two_sentences_are_composed_and_a_template_composes_any_columns() -> None:
    rows = [{"Premise": text, "Hypothesis": "It is.", "Gold Label": gold} for text, gold in zip(TEXTS, GOLDS)]
    benchmark = load(rows)
    assert benchmark.prompts[0] == "item number 0\nIt is."
    assert (benchmark.mapping.prompt, benchmark.mapping.answer) == ("{Premise}\n{Hypothesis}", "Gold Label")
    own = load(rows, Columns(template="{{P}} {Premise} / {Hypothesis}"))
    assert own.prompts[0] == "{P} item number 0 / It is."
    assert own.mapping.guessed == ("answer",)


def test_numbers_and_truth_values_become_their_canonical_text() -> None:
    rows = [{"text": text, "label": (True, 1, 2.0, "1 ")[n % 4]} for n, text in enumerate(TEXTS)]
    assert load(rows).answers[:4] == ["true", "1", "2.0", "1"]


def test_a_split_keeps_its_rows_and_an_unknown_one_lists_the_known() -> None:
    rows = [{**row, "part": ("test", "train")[n >= 35]} for n, row in enumerate(RECORDS)]
    assert load(rows).splits is None
    benchmark = load(rows, Columns(split="part=test"))
    assert len(benchmark.prompts) == 35
    assert "35 of 40 rows are in the split part=test" in benchmark.notes
    with pytest.raises(
        InputError, match=r"column 'part' has no value 'tets'\. Did you mean 'test'\? Known: test, train"
    ):
        load(rows, Columns(split="part=tets"))


@pytest.mark.parametrize("role", ["prompt", "answer", "group", "split", "id", "choices", "template"])
def test_an_empty_name_is_not_taken_for_no_name(role: str) -> None:
    rows = [{"prompt": f"p {n}", "answer": "ab"[n % 2]} for n in range(40)]
    with pytest.raises(UsageError, match=f"{role} is empty; name a column, or leave the option out"):
        load(rows, Columns(**{role: ""}))


def test_a_column_without_a_name_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(",prompt,answer\n" + "".join(f"{n},p {n},{'ab'[n % 2]}\n" for n in range(40)))
    assert load(tmp_path / "a.csv", Columns(id="")).ids[:2] == ["0", "1"]


def test_every_column_that_is_missing_is_named_at_once():
    rows = [{"this": f"x {number}", "that": f"y {number}"} for number in range(40)]
    with pytest.raises(
        InputError,
        match=r"no column looks like the prompt or the answer; name them with --prompt and --answer\. "
        r"Names such as prompt, question, text for the prompt and answer, label, gold for the answer are recognised",
    ):
        load(rows)
    with pytest.raises(InputError) as caught:
        load(rows, Columns(prompt="thsi", answer="taht"))
    assert [fault.reason[:31] for fault in caught.value.faults] == [
        "there is no column 'thsi'. Did ",
        "there is no column 'taht'. Did ",
    ]


def test_columns_of_sentences_that_are_in_no_prompt_are_named():
    more = {"rationale": "because it was so", "topic": "towns", "year": "in 1990"}
    rows = [{**row, **more, "endings": ["one of the two", "the other one"], "a1": "one of the two"} for row in RECORDS]
    assert load(rows, Columns(answer="label", choices="endings")).mapping.unseen == ("rationale",)
    assert load(rows, Columns(answer="label", template="{text} {rationale}")).mapping.unseen == ()
    assert load([{**row, **more} for row in RECORDS], Columns(prompt="rationale")).mapping.unseen == ("text",)


def test_a_column_of_texts_is_named_wherever_its_texts_are_and_if_it_has_lists_of_them():
    late = [{**row, "context": "", "hints": []} for row in RECORDS * 3]
    late[-1] |= {"context": "a long story about towns", "hints": ["short", "look at the map"]}
    assert len(late) > 60
    assert load(late).mapping.unseen == ("context", "hints")
    late[-1] |= {"context": late[-1]["text"], "hints": [late[-1]["text"]]}  # what the prompt repeats
    assert load(late).mapping.unseen == ()


@pytest.mark.parametrize("column", ["evidence", "evidence_sentence", "evidence_text"])
def test_evidence_is_read_with_its_claim_also_where_several_claims_share_it(column):
    rows = [
        {"id": n, "claim": text, column: f"It is item {n // 2} of all.", "gold_label": gold}
        for n, (text, gold) in enumerate(zip(TEXTS, GOLDS))
    ]
    benchmark = load(rows)
    assert benchmark.prompts[3] == "It is item 1 of all.\nitem number 3"
    assert (benchmark.mapping.group, benchmark.groups) == (None, None)
    assert benchmark.mapping.unseen == ()
