"""HELM: what the statistics of a run say of each instance: right or wrong, and which reference it predicted.

A run has several statistics of match. The main one is that of the leaderboard, which `helm-summarize` states in the
`schema.json` of the suite for each group of runs (`environment.main_name`); without it the most lenient one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from audit.answers.importers.values import as_verdict
from audit.formats.json_rows import decode
from audit.formats.table import as_name, bare
from audit.sources.content import read, utf8
from generators.errors import InputError

__all__ = ["Key", "Statistics", "beside", "perturbation", "statistics_beside"]

Key = tuple[str, str, int]
"""Instance, perturbation, training set."""

_MATCHES = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
"""Statistics that mark a single answer, from the strictest to the most lenient."""
_INSTEAD = {"quasi_exact_match": "exact_match"}
"""What HELM takes where a run lacks its main statistic."""

_PREDICTED = "predicted_index"
"""The statistic with the place of the reference that a run with a request per option predicts."""


@dataclass
class Statistics:
    """What is known of the instances of a run."""

    right: dict[Key, bool] = field(default_factory=dict)
    """By the main statistic, or the most lenient one that there is."""
    predicted: dict[Key, int] = field(default_factory=dict)
    """The place of the reference that the run predicts, from 0."""


def statistics_beside(path: str) -> Statistics:
    """The statistics of the run whose scenario state is at `path`; nothing where they cannot be read."""
    known = Statistics()
    main = _main_names(path)
    values: dict[str, dict[Key, Any]] = {}
    given = beside(path, "per_instance_stats.json")
    for key, name, value in _stats(given if isinstance(given, list) else ()):
        if name == _PREDICTED:
            known.predicted[key] = _place(value)
        if name in _MATCHES or name in main:
            values.setdefault(name, {})[key] = as_verdict(value)
    for name in main:
        # A main statistic with marks in between, such as F1, makes nobody right or wrong.
        if name in values and None not in values[name].values():
            known.right = dict(values[name])
            return known
    for name in _MATCHES:
        known.right |= {key: verdict for key, verdict in values.get(name, {}).items() if verdict is not None}
    return known


def perturbation(value: Any) -> str:
    """What an instance with this perturbation is called; empty for none."""
    if not value:
        return ""
    return f"perturbed: {value.get('name')}" if isinstance(value, dict) and value.get("name") else "perturbed"


def beside(path: str, name: str) -> Any:
    """The JSON of another file of the run; None where there is none that can be read."""
    return _json(Path(path).with_name(name))


def _json(file: Path) -> Any:
    try:
        return decode(utf8(read(str(file))), str(file)) if file.is_file() else None
    except (InputError, UnicodeDecodeError, OSError, ValueError):
        return None


def _stats(entries: Iterable[Any]) -> Iterator[tuple[Key, str, Any]]:
    """(instance, statistic, mean) of all that is well-formed."""
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        trial = entry.get("train_trial_index", 0)
        key = (
            as_name(entry.get("instance_id")) or "",
            perturbation(entry.get("perturbation")),
            trial if type(trial) is int else 0,
        )
        for stat in _list(entry.get("stats")):
            name = stat.get("name") if isinstance(stat, dict) else None
            called = name.get("name") if isinstance(name, dict) else None
            if isinstance(called, str):
                yield key, called, stat.get("mean", stat.get("sum"))


def _main_names(path: str) -> list[str]:
    """The main statistics of the groups to which a run belongs, in their order, each with what stands in for it."""
    run = beside(path, "run_spec.json")
    groups = _list(run.get("groups")) if isinstance(run, dict) else []
    folder = Path(path).absolute().parent
    # Runs lie in the folder of their suite, where the schema is, too.
    schema = _json(folder.parent / "schema.json") or _json(folder / "schema.json")
    named: dict[str, str] = {}
    for group in _list(schema.get("run_groups")) if isinstance(schema, dict) else []:
        environment = group.get("environment") if isinstance(group, dict) else None
        main = environment.get("main_name") if isinstance(environment, dict) else None
        if isinstance(main, str) and isinstance(group.get("name"), str):
            named[group["name"]] = main
    names = [named[group] for group in groups if isinstance(group, str) and group in named]
    return list(dict.fromkeys(each for name in names for each in (name, _INSTEAD.get(name, name))))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _place(value: Any) -> int:
    """A place among references; -1, which is none, for what is no whole number."""
    value = bare(value)
    return int(value) if isinstance(value, int | float) and isfinite(value) and value == int(value) else -1
