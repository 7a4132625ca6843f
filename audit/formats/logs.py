"""The JSON of other projects: which project wrote it, and its rows as `prompt`, `answer`, `id`, `choices`.

Covers OpenAI evals (samples and run logs), BIG-bench `task.json`, inspect_ai logs and lm-evaluation-harness samples.
Only prompts and gold answers are read, not what the models replied.
"""

from __future__ import annotations

from typing import Any

from audit.benchmark import LeftOut
from audit.formats.table import Row, Table, as_name
from generators.errors import InputError

__all__ = ["from_document", "from_rows"]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("id", "id"))


def from_rows(table: Table, place: str) -> Table:
    """The items that a known log records, else the table as it is. Raises InputError for a log without golds."""
    if not table.rows:
        return table
    keys = [set(row.values) for row in table.rows[:5]]
    if any({"sample_id", "type", "data"} <= names for names in keys) or _is_spec(table.rows[0].values):
        return _run_log(table, place)
    if all({"doc", "target", "arguments"} <= names for names in keys):
        return _harness(table)
    first = table.rows[0].values
    if all({"input", "ideal"} <= names for names in keys):
        chat = "chat" if isinstance(first["input"], list) else "text"
        return _renamed(table, f"OpenAI evals samples ({chat})", (("prompt", "input"), ("answer", "ideal")))
    if all({"prompt", "answer", "group", "condition", "metadata"} <= names for names in keys):
        return _renamed(table, "hansproof items", _ROLES)
    return table


def from_document(value: Any) -> Table | None:
    """The rows of a JSON document of a known shape; None for any other."""
    if not isinstance(value, dict):
        return None
    examples, samples = value.get("examples"), value.get("samples")
    if isinstance(examples, list) and any(_is_big_bench(example) for example in examples[:5]):
        return _big_bench(examples)
    if isinstance(samples, list) and "eval" in value and any("target" in sample for sample in samples[:5]):
        return _inspect(samples)
    return None


def _renamed(table: Table, format: str, defaults: tuple[tuple[str, str], ...]) -> Table:
    """The same rows under the name of their format, with the roles that it fixes."""
    present = tuple((role, column) for role, column in defaults if column in table.columns)
    return Table(format, table.rows, table.columns, table.left_out, table.notes, present)


def _is_spec(values: dict[str, Any]) -> bool:
    """True for the first line of a run log, which describes the run."""
    spec = values.get("spec")
    return isinstance(spec, dict) and "run_config" in spec


def _run_log(table: Table, place: str) -> Table:
    """One row per sample: the prompt of its first `sampling` event, the gold of its first `match` event."""
    prompts: dict[str, tuple[str, Any]] = {}
    golds: dict[str, Any] = {}
    for row in table.rows:
        data, sample = row.values.get("data"), as_name(row.values.get("sample_id")) or ""
        if not isinstance(data, dict):
            continue
        if row.values.get("type") == "sampling" and "prompt" in data:
            prompts.setdefault(sample, (row.place, data["prompt"]))
        elif row.values.get("type") == "match" and "expected" in data:
            golds.setdefault(sample, data["expected"])
    if not prompts or not golds:
        missing = "`match` events with an `expected` answer" if prompts else "`sampling` events with a `prompt`"
        raise InputError(f"an OpenAI evals run log without {missing}: there is nothing to audit", place)
    rows, left_out = [], list(table.left_out)
    for sample, (where, prompt) in prompts.items():
        if sample in golds:
            rows.append(Row(where, {"prompt": prompt, "answer": golds[sample], "id": sample}))
        else:
            left_out.append(LeftOut(where, "no match event for this sample"))
    return Table.of("OpenAI evals run log", rows, left_out, defaults=_ROLES, benchmark=_evaluated(table))


def _evaluated(table: Table) -> str:
    """The name of the eval that was run; empty where the first line does not state it."""
    spec = table.rows[0].values.get("spec")
    name = (spec.get("base_eval") or spec.get("eval_name")) if isinstance(spec, dict) else None
    return name if isinstance(name, str) else ""


def _harness(table: Table) -> Table:
    """lm-evaluation-harness samples: the text that was sent, the target, and the continuations as options."""
    rows: list[Row] = []
    seen: set[str] = set()
    for row in table.rows:
        name = as_name(row.values.get("doc_id")) or row.place
        if name in seen:  # one line per filter of the same request
            continue
        seen.add(name)
        requests = row.values["arguments"]
        requests = list(requests.values()) if isinstance(requests, dict) else requests
        pairs = [list(request.values()) if isinstance(request, dict) else request for request in requests or []]
        pairs = [pair for pair in pairs if isinstance(pair, list) and pair]
        prompt = pairs[0][0] if pairs else None
        options = [pair[1].strip() for pair in pairs if len(pair) > 1 and isinstance(pair[1], str)]
        values = {"prompt": prompt, "answer": row.values["target"], "id": name}
        if len(options) == len(pairs) > 1:
            values["choices"] = options
        rows.append(Row(row.place, values))
    return Table.of("lm-evaluation-harness samples", rows, table.left_out, defaults=_ROLES)


def _inspect(samples: list[Any]) -> Table:
    """inspect_ai log: input, target and choices of each sample, from its first epoch only."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, sample in enumerate(samples, 1):
        if not isinstance(sample, dict):
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
        elif sample.get("epoch", 1) == 1:
            values = {"prompt": sample.get("input"), "answer": sample.get("target"), "id": sample.get("id")}
            if sample.get("choices"):
                values["choices"] = sample["choices"]
            rows.append(Row(f"row {number}", values))
    return Table.of("inspect_ai log", rows, left_out, defaults=_ROLES)


def _is_big_bench(example: Any) -> bool:
    return isinstance(example, dict) and "input" in example and ("target_scores" in example or "target" in example)


def _big_bench(examples: list[Any]) -> Table:
    """BIG-bench task: the gold is the option with the highest score, or `target` where there are no scores."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, example in enumerate(examples, 1):
        if not isinstance(example, dict):
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
            continue
        scores, target = example.get("target_scores"), example.get("target")
        values = {**example, "prompt": example.get("input"), "answer": target}
        if isinstance(scores, dict) and scores:
            numbers = {option: score for option, score in scores.items() if isinstance(score, (int, float))}
            best = max(numbers.values(), default=None)
            values["answer"] = [option for option, score in numbers.items() if score == best]
            values["choices"] = list(scores)
        rows.append(Row(f"row {number}", values))
    return Table.of("BIG-bench task", rows, left_out, defaults=_ROLES[:2])
