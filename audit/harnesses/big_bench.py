"""BIG-bench `task.json`: `examples` with an `input` and a `target`, or with `target_scores` for each option."""

from __future__ import annotations

import math
from typing import Any

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.table import Row, Table
from hansproof.audit.harnesses.log_shape import typed

__all__ = ["is_big_bench", "items_of_big_bench"]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"))


def is_big_bench(value: Any) -> bool:
    """True for an object whose `examples` have an `input` and a gold."""
    first = typed(list, value, "examples")[:5]
    return any("input" in of and ("target_scores" in of or "target" in of) for of in first if isinstance(of, dict))


def items_of_big_bench(value: dict[str, Any], place: str) -> Table:
    """One row per example. The gold is every option with the highest score, or `target` where there are no scores.

    `task_prefix`, the prefixes of input and output and the canary are the same for all items, so they are left out.
    An example without a gold is left out and listed when the items are made.
    """
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, example in enumerate(value["examples"], 1):
        row = f"row {number}"
        if not isinstance(example, dict):
            left_out.append(LeftOut(row, "not a JSON object"))
            continue
        values = {**example, "prompt": example.get("input"), "answer": example.get("target")}
        scores = example.get("target_scores")
        if isinstance(scores, dict) and scores:
            values["answer"] = _best(scores)
            values["choices"] = list(scores)
        rows.append(Row(row, values))
    return Table.of("BIG-bench task", rows, left_out, defaults=_ROLES, benchmark=typed(str, value, "name"))


def _best(scores: dict[str, Any]) -> list[str] | None:
    """The options with the highest score; None where no score is a finite number."""
    numbers = {
        option: score
        for option, score in scores.items()
        if isinstance(score, (int, float)) and (isinstance(score, int) or math.isfinite(score))
    }
    best = max(numbers.values(), default=None)
    return [option for option, score in numbers.items() if score == best] or None
