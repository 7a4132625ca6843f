"""Forms in which benchmarks are published, a few lines of each with words of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hansproof
from hansproof.audit.benchmark import Benchmark
from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError, UsageError

N = 40
THINGS = ("river", "lamp", "garden", "train")


def thing(n: int) -> str:
    return f"{THINGS[n % 4]} {n}"


def told(n: int) -> str:
    return "yes" if n % 3 else "no"


def read(path: Path, text: str) -> Benchmark:
    path.write_text(text, encoding="utf-8")
    return load(path)


def of_lines(path: Path, rows: list[Any]) -> Benchmark:
    return read(path, "".join(f"{json.dumps(row)}\n" for row in rows))


def tabbed(*rows: tuple[Any, ...]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("head", ["#id", "# id"])
def test_a_header_that_begins_with_a_hash_is_a_header(tmp_path: Path, head: str) -> None:
    rows = [(f"n{n}", f"Is the {thing(n)} near?", told(n)) for n in range(N)]
    benchmark = read(tmp_path / "a.tsv", tabbed((head, "prompt", "answer"), *rows))
    assert (benchmark.mapping.id, benchmark.ids[3], benchmark.prompts[3]) == (head, "n3", "Is the train 3 near?")


def test_arct_has_two_warrants_as_options_and_its_gold_from_0(tmp_path: Path) -> None:
    header = ("#id", "warrant0", "warrant1", "correctLabelW0orW1", "reason", "claim", "debateTitle", "debateInfo")
    rows = [
        (n, f"{thing(n)} is so", f"{thing(n)} is not", n % 2, f"Reason {n}", f"Claim {n}", "T", "I") for n in range(N)
    ]
    benchmark = read(tmp_path / "dev.tsv", tabbed(header, *rows))
    assert benchmark.prompts[1] == "Reason 1\nClaim 1"
    assert benchmark.options is not None
    assert (benchmark.options.texts[1], benchmark.options.gold[:3]) == (["lamp 1 is so", "lamp 1 is not"], [0, 1, 0])


def codah(n: int) -> tuple[Any, ...]:
    return ("o" if n % 5 else "", f"I see the {thing(n)}. I", *(f"go to {thing(n + k)}." for k in range(4)), n % 4)


def test_codah_has_no_header_line(tmp_path: Path) -> None:
    benchmark = read(tmp_path / "codah.tsv", tabbed(*map(codah, range(N))))
    assert len(benchmark.prompts) == N
    assert benchmark.prompts[0] == "I see the river 0. I"
    assert benchmark.options is not None
    assert benchmark.options.gold[:5] == [0, 1, 2, 3, 0]
    assert benchmark.options.texts[1][1] == "go to garden 2."


def test_a_row_of_codah_whose_gold_is_none_makes_it_a_table_with_a_header(tmp_path: Path) -> None:
    (tmp_path / "codah.tsv").write_text(tabbed(*map(codah, range(N)), (*codah(1)[:6], 4)), encoding="utf-8")
    with pytest.raises(Exception, match="no column looks like the prompt"):
        load(tmp_path / "codah.tsv")


def dream(n: int) -> list[Any]:
    choice = [f"By the {thing(n)}", f"At {n}", f"In the {thing(n + 1)}"]
    asked = [{"question": f"Where {k}?", "choice": choice, "answer": choice[(n + k) % 3]} for k in range(2)]
    return [[f"M: Where is it, {n}?", "W: There."], asked, f"{n}-7"]


def test_a_dialogue_of_dream_has_its_questions_in_one_group(tmp_path: Path) -> None:
    benchmark = read(tmp_path / "dev.json", json.dumps([*map(dream, range(N)), [["M: Broken."], [3], "9-9"]]))
    assert benchmark.prompts[1] == "M: Where is it, 0?\nW: There.\nWhere 1?"
    assert len(benchmark.prompts) == 2 * N
    assert benchmark.groups is not None
    assert benchmark.groups[:4] == ["0-7", "0-7", "1-7", "1-7"]
    assert benchmark.options is not None
    assert benchmark.options.gold[:4] == [0, 1, 1, 2]
    assert [row.place for row in benchmark.left_out] == [f"dialogue {N + 1}"]


def record(n: int) -> dict[str, Any]:
    text = f"Anna{n:02} saw Boris{n:02} in Graz."
    spans = [{"start": 0, "end": 5}, {"start": 11, "end": 17}, {"start": 22, "end": 25}]
    gold = spans[n % 3]
    answer = gold | {"text": text[gold["start"] : gold["end"] + 1]}
    asked = [{"id": f"q{n}", "query": f"Later @placeholder slept {n}", "answers": [answer]}]
    return {"id": f"p{n}", "source": "x", "passage": {"text": text, "entities": spans}, "qas": asked}


@pytest.mark.parametrize("whole", [True, False])
def test_the_entities_of_record_are_the_options_whose_places_end_with_a_letter(tmp_path: Path, whole: bool) -> None:
    rows = [*map(record, range(N))]
    benchmark = read(tmp_path / "a.json", json.dumps({"data": rows})) if whole else of_lines(tmp_path / "a.jsonl", rows)
    assert benchmark.options is not None
    assert benchmark.options.gold[:3] == [0, 1, 2]
    assert benchmark.options.texts[2] == ["Anna02", "Boris02", "Graz"]
    assert benchmark.prompts[2] == "Anna02 saw Boris02 in Graz.\nLater @placeholder slept 2"


def chat(n: int) -> list[tuple[str, str]]:
    return [
        ("user", f"Is the {thing(n)} far?"),
        ("assistant", "Which?"),
        ("user", f"The {n}th."),
        ("assistant", told(n)),
    ]


def openai_turns(n: int) -> list[dict[str, str]]:
    return [{"role": who, "content": said} for who, said in chat(n)]


def sharegpt_turns(n: int) -> list[dict[str, str]]:
    return [{"from": {"user": "human", "assistant": "gpt"}[who], "value": said} for who, said in chat(n)]


@pytest.mark.parametrize(
    ("column", "turns"), [("messages", openai_turns), ("turns", openai_turns), ("conversations", sharegpt_turns)]
)
def test_what_the_assistant_says_last_is_the_gold_of_a_chat_without_one(
    tmp_path: Path, column: str, turns: Any
) -> None:
    benchmark = of_lines(tmp_path / "chat.jsonl", [{column: turns(n)} for n in range(N)])
    assert benchmark.prompts[1] == "Is the lamp 1 far?\nWhich?\nThe 1th."
    assert benchmark.answers[:4] == ["no", "yes", "yes", "no"]
    assert "column 'answer' is what the assistant says last" in benchmark.notes


def test_a_chat_beside_a_gold_keeps_its_gold(tmp_path: Path) -> None:
    rows = [{"conversations": sharegpt_turns(n)[:3], "label": "AB"[n % 2]} for n in range(N)]
    benchmark = of_lines(tmp_path / "chat.jsonl", rows)
    assert benchmark.answers[:2] == ["A", "B"]
    assert benchmark.prompts[0].endswith("The 0th.")


def weighed_list(n: int, *weights: float) -> list[dict[str, Any]]:
    return [{"text": f"{thing(n)} {k}", "weight": weight} for k, weight in enumerate(weights)]


def weighed_lists(n: int, *weights: float) -> dict[str, Any]:
    return {"text": [f"{thing(n)} {k}" for k in range(len(weights))], "count": list(weights)}


@pytest.mark.parametrize(("column", "golds"), [("golds", weighed_list), ("answers", weighed_lists)])
def test_of_open_golds_with_weights_each_counts_and_the_heaviest_comes_first(
    tmp_path: Path, column: str, golds: Any
) -> None:
    rows = [{"question": f"Name {n}", column: golds(n, 1, 7, 7)} for n in range(N)]
    benchmark = of_lines(tmp_path / "a.jsonl", rows)
    assert benchmark.accepted is not None
    assert benchmark.accepted[0] == ("river 0 1", "river 0 2", "river 0 0")


def test_a_label_is_the_heaviest_gold_and_a_tie_has_none(tmp_path: Path) -> None:
    golds = [[{"text": "yes", "weight": 0.4 if n else 0.5}, {"text": "no", "weight": 0.5}] for n in range(N)]
    golds[1] = [{"text": "yes", "weight": 3}, {"text": "no", "weight": 1}]
    benchmark = of_lines(tmp_path / "a.jsonl", [{"text": thing(n), "golds": of} for n, of in enumerate(golds)])
    assert benchmark.answers[:3] == ["yes", "no", "no"]
    assert [(row.place, row.reason) for row in benchmark.left_out] == [("line 1", "two golds weigh the same")]


def test_targets_with_scores_are_options_only_where_one_is_wrong(tmp_path: Path) -> None:
    def rows(worst: float) -> list[dict[str, Any]]:
        texts = [f"{name} {n}" for n in range(N) for name in "ab"]
        pairs = zip(texts[::2], texts[1::2], strict=True)
        return [
            {"input": first, "targets": [{"text": first, "score": worst}, {"text": second, "score": 0.6}]}
            for first, second in pairs
        ]

    options, golds = of_lines(tmp_path / "a.jsonl", rows(0.0)), of_lines(tmp_path / "b.jsonl", rows(0.2))
    assert options.options is not None
    assert options.options.gold[0] == 1
    assert golds.options is None
    assert golds.accepted is not None
    assert golds.accepted[0] == ("b 0", "a 0")


def test_the_wrong_answers_of_truthful_qa_stand_between_semicolons(tmp_path: Path) -> None:
    header = ("Type", "Category", "Question", "Best Answer", "Correct Answers", "Incorrect Answers", "Source")
    rows = [
        ("x", "Myth", f"What is {n}?", f"A {thing(n)}", f"A {thing(n)}; A stone", f"No {thing(n)}; Only {n}", "-")
        for n in range(N)
    ]
    benchmark = read(tmp_path / "TruthfulQA.tsv", tabbed(header, *rows))
    assert benchmark.options is not None
    assert benchmark.options.texts[1] == ["A lamp 1", "No lamp 1", "Only 1"]
    assert (benchmark.options.gold[1], benchmark.options.ordered) == (0, False)


def test_entities_are_options_only_where_golds_are_among_them(tmp_path: Path) -> None:
    rows = [
        {"passage": f"Anna{n} and Boris{n} met.", "query": f"@placeholder left {n}",
         "entities": (names := [f"Anna{n}", f"Boris{n}"]), "answers": [names[n % 2]]} for n in range(N)
    ]  # fmt: skip
    benchmark = of_lines(tmp_path / "a.jsonl", rows)
    assert benchmark.options is not None
    assert benchmark.options.gold[:3] == [0, 1, 0]
    moods = [{"text": row["passage"], "entities": row["entities"], "label": told(n)} for n, row in enumerate(rows)]
    assert of_lines(tmp_path / "b.jsonl", moods).options is None


def test_a_column_key_is_a_gold_where_it_repeats_and_else_an_id(tmp_path: Path) -> None:
    rows = [{"question": f"Is the {thing(n)} far?", "key": told(n)} for n in range(N)]
    assert of_lines(tmp_path / "a.jsonl", rows).mapping.answer == "key"
    with pytest.raises(InputError, match="no column looks like the answer"):
        of_lines(tmp_path / "b.jsonl", [row | {"key": f"k{n}"} for n, row in enumerate(rows)])


def test_one_instruction_for_all_items_is_no_part_of_them_and_own_ones_are(tmp_path: Path) -> None:
    rows = [{"instruction": "Say so.", "input": thing(n), "output": told(n)} for n in range(N)]
    assert of_lines(tmp_path / "a.jsonl", rows).prompts[1] == "lamp 1"
    own = [row | {"instruction": f"Say {n}.", "input": thing(n) if n % 2 else ""} for n, row in enumerate(rows)]
    assert of_lines(tmp_path / "b.jsonl", own).prompts[:2] == ["Say 0.\n", "Say 1.\nlamp 1"]
    constant = [row | {"prompt": "Answer."} for row in rows]
    assert of_lines(tmp_path / "c.jsonl", constant).prompts[1] == "lamp 1"


def test_two_columns_of_golds_that_differ_ask_for_one_by_name(tmp_path: Path) -> None:
    rows = [{"text": thing(n), "label": "ab"[n % 2], "gold": told(n)} for n in range(N)]
    with pytest.raises(
        InputError, match="cannot tell whether 'label' or 'gold' is the answer: name it with --answer label"
    ):
        of_lines(tmp_path / "a.jsonl", rows)
    assert load(tmp_path / "a.jsonl", Columns(answer="gold")).answers[:2] == ["no", "yes"]
    same = [row | {"gold": row["label"].upper()} for row in rows]
    assert of_lines(tmp_path / "b.jsonl", same).mapping.answer == "label"


def test_options_beside_answers_as_labels_are_refused() -> None:
    with pytest.raises(UsageError, match="leave it or --choices out"):
        hansproof.audit([{"text": "x", "label": "a", "choices": ["a", "b"]}], choices="choices", task="fixed")
