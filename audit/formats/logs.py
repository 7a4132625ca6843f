"""Other projects' JSON: which one it is, and its rows under the names `prompt`, `answer`, `id`, `choices`.

OpenAI evals (samples and run logs), BIG-bench `task.json`, inspect_ai logs and lm-evaluation-harness samples.
Only what was asked and what is right is read; the models' own answers are not.
"""

from __future__ import annotations

from typing import Any

from audit.benchmark import LeftOut
from audit.columns.cells import as_name
from audit.table import Row, Table
from generators.errors import InputError

__all__ = ["from_document", "from_rows"]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("id", "id"))


def from_rows(table: Table, place: str) -> Table:
    """The table itself, or what a known log holds in it. Raises InputError for a log without golds."""
    if not table.rows:
        return table
    keys = [set(row.values) for row in table.rows[:5]]
    if any({"sample_id", "type", "data"} <= one for one in keys) or _is_spec(table.rows[0].values):
        return _run_log(table, place)
    if all({"doc", "target", "arguments"} <= one for one in keys):
        return _harness(table)
    first = table.rows[0].values
    if all({"input", "ideal"} <= one for one in keys):
        chat = "chat" if isinstance(first["input"], list) else "text"
        return _renamed(table, f"OpenAI evals samples ({chat})", (("prompt", "input"), ("answer", "ideal")))
    if all({"prompt", "answer", "group", "condition", "metadata"} <= one for one in keys):
        return _renamed(table, "hansproof items", _ROLES)
    return table


def from_document(value: Any) -> Table | None:
    """The rows of a JSON document of a known shape; None where it is of another."""
    if not isinstance(value, dict):
        return None
    examples, samples = value.get("examples"), value.get("samples")
    if isinstance(examples, list) and any(_is_big_bench(one) for one in examples[:5]):
        return _big_bench(examples)
    if isinstance(samples, list) and "eval" in value and any("target" in one for one in samples[:5]):
        return _inspect(samples)
    return None


def _renamed(table: Table, format: str, defaults: tuple[tuple[str, str], ...]) -> Table:
    """The same rows under a name of their own, with the roles that the format fixes."""
    known = tuple(pair for pair in defaults if pair[1] in table.columns)
    return Table(format, table.rows, table.columns, table.left_out, table.notes, known)


def _is_spec(values: dict[str, Any]) -> bool:
    """True for the first line of a run log, which describes the run."""
    spec = values.get("spec")
    return isinstance(spec, dict) and "run_config" in spec


def _run_log(table: Table, place: str) -> Table:
    """One row a sample: the prompt of its first `sampling` event, the gold of its first `match` event."""
    asked: dict[str, tuple[str, Any]] = {}
    gold: dict[str, Any] = {}
    for row in table.rows:
        data, sample = row.values.get("data"), as_name(row.values.get("sample_id")) or ""
        if not isinstance(data, dict):
            continue
        if row.values.get("type") == "sampling" and "prompt" in data:
            asked.setdefault(sample, (row.place, data["prompt"]))
        elif row.values.get("type") == "match" and "expected" in data:
            gold.setdefault(sample, data["expected"])
    if not asked or not gold:
        missing = "`match` events with an `expected` answer" if asked else "`sampling` events with a `prompt`"
        raise InputError(f"{place}: an OpenAI evals run log without {missing}: nothing to audit")
    rows, left_out = [], list(table.left_out)
    for sample, (where, prompt) in asked.items():
        if sample in gold:
            rows.append(Row(where, {"prompt": prompt, "answer": gold[sample], "id": sample}))
        else:
            left_out.append(LeftOut(where, "no match event for this sample"))
    return Table.of("OpenAI evals run log", rows, left_out, defaults=_ROLES, benchmark=_evaluated(table))


def _evaluated(table: Table) -> str:
    """What the run was an evaluation of; empty where its first line does not say."""
    spec = table.rows[0].values.get("spec")
    name = (spec.get("base_eval") or spec.get("eval_name")) if isinstance(spec, dict) else None
    return name if isinstance(name, str) else ""


def _harness(table: Table) -> Table:
    """lm-evaluation-harness samples: what was sent, the target, and the continuations as options."""
    rows: list[Row] = []
    seen: set[str] = set()
    for row in table.rows:
        name = as_name(row.values.get("doc_id")) or row.place
        if name in seen:  # one line for each filter of the same request
            continue
        seen.add(name)
        requests = row.values["arguments"]
        requests = list(requests.values()) if isinstance(requests, dict) else requests
        pairs = [list(one.values()) if isinstance(one, dict) else one for one in requests or []]
        pairs = [one for one in pairs if isinstance(one, list) and one]
        prompt = pairs[0][0] if pairs else None
        options = [one[1].strip() for one in pairs if len(one) > 1 and isinstance(one[1], str)]
        values = {"prompt": prompt, "answer": row.values["target"], "id": name}
        if len(options) == len(pairs) > 1:
            values["choices"] = options
        rows.append(Row(row.place, values))
    return Table.of("lm-evaluation-harness samples", rows, table.left_out, defaults=_ROLES)


def _inspect(samples: list[Any]) -> Table:
    """inspect_ai log: input, target and choices of each sample, its first epoch only."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, one in enumerate(samples, 1):
        if not isinstance(one, dict):
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
        elif one.get("epoch", 1) == 1:
            values = {"prompt": one.get("input"), "answer": one.get("target"), "id": one.get("id")}
            if one.get("choices"):
                values["choices"] = one["choices"]
            rows.append(Row(f"row {number}", values))
    return Table.of("inspect_ai log", rows, left_out, defaults=_ROLES)


def _is_big_bench(one: Any) -> bool:
    return isinstance(one, dict) and "input" in one and ("target_scores" in one or "target" in one)


def _big_bench(examples: list[Any]) -> Table:
    """BIG-bench task: the options with the highest score are the golds, else `target` is."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, one in enumerate(examples, 1):
        if not isinstance(one, dict):
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
            continue
        scores, target = one.get("target_scores"), one.get("target")
        values = {**one, "prompt": one.get("input"), "answer": target}
        if isinstance(scores, dict) and scores:
            numbers = {key: score for key, score in scores.items() if isinstance(score, (int, float))}
            best = max(numbers.values(), default=None)
            values["answer"] = [key for key, score in numbers.items() if score == best]
            values["choices"] = list(scores)
        rows.append(Row(f"row {number}", values))
    return Table.of("BIG-bench task", rows, left_out, defaults=_ROLES[:2])
