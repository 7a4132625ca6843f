"""Which project wrote some JSON, judged by its keys and never by its name; then its rows as the project means them."""

from __future__ import annotations

from typing import Any

from audit.formats.harnesses.big_bench import big_bench_table, is_big_bench
from audit.formats.harnesses.helm import instances_of, is_helm
from audit.formats.harnesses.inspect_ai import is_log, is_sample, is_unusable, log_table, samples_table, unusable
from audit.formats.harnesses.lm_eval_samples import is_harness, samples_of_harness
from audit.formats.harnesses.openai_evals import is_evals_sample, is_run_log, renamed, run_log_table
from audit.formats.table import Table

__all__ = ["from_document", "from_rows"]

_LOOKED_AT = 5
_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("id", "id"))


def from_rows(table: Table, place: str) -> Table:
    """The items that a known log or data set records, else the table as it is.

    Raises InputError for a log without golds.
    """
    first = [row.values for row in table.rows[:_LOOKED_AT]]
    if not first:
        return table
    if is_run_log(first):
        return run_log_table(table, place)
    if all(map(is_harness, first)):
        return samples_of_harness(table)
    if all(map(is_evals_sample, first)):
        chat = "chat" if isinstance(first[0]["input"], list) else "text"
        return renamed(table, f"OpenAI evals samples ({chat})", (("prompt", "input"), ("answer", "ideal")))
    if all(map(is_sample, first)):
        return samples_table(table)
    if all({"prompt", "answer", "group", "condition", "metadata"} <= values.keys() for values in first):
        return renamed(table, "hansproof items", _ROLES)
    return table


def from_document(value: Any, place: str) -> Table | None:
    """The rows of a JSON document of a known shape; None for any other.

    Raises InputError for a log without samples.
    """
    if is_helm(value):
        return instances_of(value)
    if is_big_bench(value):
        return big_bench_table(value)
    if is_log(value):
        return log_table(value["samples"], value)
    if is_unusable(value):
        raise unusable(value, place)
    return None
