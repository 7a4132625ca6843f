"""Notes on a benchmark: labels that look alike, or that may be results."""

from __future__ import annotations

from typing import Any

import pytest

from hansproof.audit.reading.items import unasked_numbers
from hansproof.audit.reading.loading import load

TEXTS = [f"item number {n}" for n in range(40)]


def rows(labels: tuple[str, ...] = ("yes", "no"), **more: Any) -> list[dict[str, Any]]:
    return [{"question": text, "label": labels[n % len(labels)], **more} for n, text in enumerate(TEXTS)]


def test_labels_that_differ_in_case_are_kept_and_named_with_their_counts() -> None:
    benchmark = load([*rows(), *rows(("Yes", "NO"))[:10], {"question": "x", "label": "YES"}])
    assert set(benchmark.answers) == {"yes", "no", "Yes", "NO", "YES"}
    assert (
        "answers that differ only in case or white space are kept apart: "
        "'NO' (5), 'no' (20); 'YES' (1), 'Yes' (5), 'yes' (20)"
    ) in benchmark.notes


def test_inner_white_space_separates_labels_and_outer_white_space_is_removed() -> None:
    benchmark = load(rows(("not  so", "not so", "so", "so ")))
    assert sorted(set(benchmark.answers)) == ["not  so", "not so", "so"]
    assert benchmark.notes == (
        "answers that differ only in case or white space are kept apart: 'not  so' (10), 'not so' (10)",
    )


def test_a_space_before_every_answer_gives_no_note() -> None:
    assert load(rows((" yes", " no"))).notes == ()


def test_many_look_alikes_are_cut_short() -> None:
    labels = tuple(f"{letter}{n}" for n in range(7) for letter in "aA")
    assert load(rows(labels)).notes[0].endswith("'A4' (3), 'a4' (3) and 2 more")


def test_labels_that_may_be_results_are_said_to_be_labels():
    prompts = [f"Ann has {n} pens and gets {n % 3} more. How many?" for n in range(60)]
    answers = [str(n % 8) for n in range(60)]
    (note,) = unasked_numbers(prompts, answers)
    assert note.startswith("the answers are 8 different numbers, which were audited as labels")
    assert note.endswith("audit again with --task open")
    assert unasked_numbers(prompts, [str(n % 5) for n in range(60)]) == []  # 0 to 4 may be grades
    assert unasked_numbers([f"Item {n} is fine." for n in range(60)], answers) == []  # nothing to calculate with
    assert unasked_numbers(prompts, [f"${answer}.50" if n % 8 else "none" for n, answer in enumerate(answers)]) == []


@pytest.mark.slow
def test_the_note_is_in_the_report_until_the_task_is_named():
    import hansproof

    prompts = [f"Ann has {n} pens and gets {n % 3} more. How many?" for n in range(60)]
    rows = [{"prompt": prompt, "answer": str(n % 8)} for n, prompt in enumerate(prompts)]
    quick = {"splits": 1, "folds": 3, "permutations": 39}
    assert any("--task open" in note for note in hansproof.audit(rows, **quick).notes)
    assert not any("--task open" in note for note in hansproof.audit(rows, task="fixed", **quick).notes)
