"""Fixed labels, options per item, open answers and too few items: every kind is recognised."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hansproof.audit.benchmark import Benchmark, Mapping
from hansproof.audit.reading.loading import load
from hansproof.audit.reading.task_kind import kind

N = 60


def benchmark(prompts: list[str], answers: list[str], choices: list[list[str]] | None = None) -> Benchmark:
    ids = [str(n) for n in range(len(prompts))]
    return Benchmark("x", "x", "0", prompts, answers, ids, Mapping("p", "a"), choices=choices)


PLAIN = [f"Is {n} odd?" for n in range(N)]


def test_two_labels_throughout_are_fixed() -> None:
    judged = kind(benchmark(PLAIN, [("no", "yes")[n % 2] for n in range(N)]))
    assert (judged.name, judged.reason) == ("fixed", "All answers come from the same 2 labels: 'no', 'yes'.")


@pytest.mark.parametrize(
    ("layout", "labels"),
    [
        ("Which?\n1. fish {n}\n2. bird {n}\n3. cow {n}", "123"),
        ("Which?\n1) fish {n}\n2) bird {n}\n3) cow {n}\nAnswer:", "123"),
        ("Which?\nA. fish {n}\nB. bird {n}\nC. cow {n}", "ABC"),
        ("Which? (a) fish {n} (b) bird {n} (c) cow {n}", "abc"),
        ("Which? (A) fish {n} (B) bird {n} (C) cow {n}\nAnswer:", ("(A)", "(B)", "(C)")),
        ("Which? A) fish {n} B) bird {n} C) cow {n}", "ABC"),
        ("Which?\n0: fish {n}\n1: bird {n}\n2: cow {n}", "012"),
    ],
)
def test_options_written_in_the_prompt_are_per_item(layout: str, labels: str) -> None:
    prompts = [layout.format(n=n) for n in range(N)]
    judged = kind(benchmark(prompts, [labels[n % 3] for n in range(N)]))
    assert judged.name == "per-item"
    assert "(60 of 60 items)" in judged.reason


@pytest.mark.parametrize(
    "layout", ["Is {n} odd? (a) yes (b) no", "Is {n} odd?\na) yes\nb) no", "(a) yes (b) no Is {n} odd?"]
)
def test_the_same_printed_options_throughout_are_fixed(layout: str) -> None:
    prompts = [layout.format(n=n) for n in range(N)]
    assert kind(benchmark(prompts, ["ab"[n % 2] for n in range(N)])).name == "fixed"


def test_numbered_facts_do_not_make_options_of_words() -> None:
    prompts = [f"1. Ann is {n}. 2. Bob is a swan. 3. Swans are white. What is Bob?" for n in range(N)]
    assert kind(benchmark(prompts, [("white", "gray")[n % 2] for n in range(N)])).name == "fixed"


def test_single_letters_without_printed_options_are_labels() -> None:
    assert kind(benchmark(PLAIN, ["AB"[n % 2] for n in range(N)])).name == "fixed"


def test_given_options_decide_by_set_and_by_order() -> None:
    base = benchmark(PLAIN, [("no", "yes")[n % 2] for n in range(N)])
    turned = [["no", "yes"] if n % 3 else ["yes", "no"] for n in range(N)]
    assert kind(replace(base, choices=[["no", "yes"]] * N)).name == "fixed"
    assert kind(replace(base, choices=turned)).name == "fixed"
    by_index = replace(base, answers=[str(n % 2) for n in range(N)])
    assert kind(replace(by_index, choices=[["no", "yes"]] * N)).name == "fixed"
    assert "order changes" in kind(replace(by_index, choices=turned)).reason
    others = kind(replace(by_index, choices=[[f"x{n}", f"y{n}"] for n in range(N)]))
    assert others.name == "per-item"
    assert "60 different sets in 60 items" in others.reason


def test_open_answers_are_open_ended() -> None:
    judged = kind(benchmark(PLAIN, [f"answer {n}" for n in range(N)]))
    assert judged.name == "open-ended"
    assert "60 different answers in 60 items" in judged.reason


def test_a_prompt_of_a_million_marks_is_read_quickly() -> None:
    prompts = ["1. x 2. " * 200_000, *PLAIN]
    assert kind(benchmark(prompts, [("1", "2")[n % 2] for n in range(N + 1)])).name == "fixed"


@pytest.mark.parametrize(
    ("name", "items", "labels", "expected"),
    [
        ("places.jsonl", 240, 3, "fixed"),
        ("questions.csv", 400, 2, "fixed"),
        ("options.jsonl", 120, 4, "per-item"),
        ("sums.jsonl", 60, 60, "open-ended"),
        ("logs/heron-1.jsonl", 120, 2, "fixed"),
        ("repeats.csv", 60, 2, "fixed"),
    ],
)
def test_the_small_benchmarks_are_of_every_kind(small: Path, name: str, items: int, labels: int, expected: str) -> None:
    loaded = load(small / name)
    assert (len(loaded.prompts), len(set(loaded.answers)), loaded.left_out) == (items, labels, ())
    assert kind(loaded).name == expected


def test_letters_without_options_are_not_audited_as_labels_but_refused() -> None:
    prompts = [f"Which?\nA - fish {n}\nB - bird {n}\nC - cow {n}" for n in range(N)]
    judged = kind(benchmark(prompts, ["ABC"[n % 3] for n in range(N)]))
    assert judged.name == "per-item"
    assert judged.reason.startswith("The answers A to C seem to be letters of options")
    two = ["AB"[n % 2] for n in range(N)]
    assert "seem to be marks of options" in kind(benchmark(prompts, two)).reason
    assert kind(benchmark([f"Which? {n}" for n in range(N)], two)).name == "fixed"


def test_an_index_that_points_at_lettered_options_is_no_label() -> None:
    prompts = [f"Which?\nA) fish {n}\nB) bird {n}\nC) cow {n}" for n in range(N)]
    assert kind(benchmark(prompts, ["012"[n % 3] for n in range(N)])).name == "per-item"
