"""HELM: what the statistics of a run say of each instance: right or wrong, and which reference it predicted.

A run has several statistics of match. The main one is that of the leaderboard, which `helm-summarize` states in the
`schema.json` of the suite for each group of runs (`environment.main_name`); without it the most lenient one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audit.answers.importers.values import as_label, as_number, as_verdict
from audit.formats.json_rows import decode
from audit.formats.table import as_name, as_plain, is_blank
from audit.sources.content import STDIN, read, utf8
from generators.errors import InputError

__all__ = ["Key", "Statistics", "beside", "perturbation", "statistics_beside"]

Key = tuple[str, str, int]
"""Instance, perturbation, training set."""

_MATCHES = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
"""Statistics that mark a single answer, from the strictest to the most lenient."""
_INSTEAD = {"quasi_exact_match": "exact_match"}
"""What HELM takes where a run lacks its main statistic."""

_SHOWN = 40
"""Characters of a mark that is no verdict."""
_PREDICTED = "predicted_index"
"""The statistic with the place of the reference that a run with a request per option predicts."""


@dataclass
class Statistics:
    """What is known of the instances of a run."""

    right: dict[Key, bool] = field(default_factory=dict)
    """By the main statistic, or the most lenient one that there is."""
    predicted: dict[Key, int] = field(default_factory=dict)
    """The place of the reference that the run predicts, from 0."""
    undecided: dict[Key, str] = field(default_factory=dict)
    """Statistic and mark of those without a verdict that have a mark which is none."""
    faults: list[str] = field(default_factory=list)
    """Files of the run that cannot be read, and so are not used, a sentence each."""


def statistics_beside(path: str) -> Statistics:
    """The statistics of the run whose scenario state is at `path`; nothing where they cannot be read."""
    known = Statistics()
    main = _main_names(path, known.faults)
    marks: dict[str, dict[Key, Any]] = {}
    given = beside(path, "per_instance_stats.json", known.faults)
    for key, name, value in _stats(given if isinstance(given, list) else ()):
        if name == _PREDICTED:
            known.predicted[key] = _place(value)
        if name in _MATCHES or name in main:
            marks.setdefault(name, {})[key] = value
    values = {name: {key: as_verdict(mark) for key, mark in of.items()} for name, of in marks.items()}
    for name in main:
        # A main statistic with marks in between, such as F1, makes nobody right or wrong.
        if name in values and None not in values[name].values():
            known.right = {key: verdict for key, verdict in values[name].items() if verdict is not None}
            return known
    for name in _MATCHES:
        known.right |= {key: verdict for key, verdict in values.get(name, {}).items() if verdict is not None}
    for name in (*main, *reversed(_MATCHES)):
        for key, mark in marks.get(name, {}).items():
            if key not in known.right and (written := as_plain(mark)) is not None and not is_blank(mark):
                mixed = "" if as_verdict(mark) is None else ", of a statistic with marks in between,"
                known.undecided.setdefault(key, f"{name} {written[:_SHOWN]!r}{mixed}")
    return known


def perturbation(value: Any) -> str:
    """The name of a perturbation, for a table; empty for none."""
    if not value:
        return ""
    return (as_label(value.get("name")) if isinstance(value, dict) else "") or "perturbed"


def beside(path: str, name: str, faults: list[str] | None = None) -> Any:
    """The JSON of another file of the run; None where there is none, and, as one of the `faults`, where it cannot be
    read. Nothing is beside standard input."""
    return None if path == STDIN else _json(Path(path).with_name(name), faults)


def _json(file: Path, faults: list[str] | None) -> Any:
    try:
        return decode(utf8(read(str(file))), str(file)) if file.is_file() else None
    except (InputError, UnicodeDecodeError, OSError, ValueError) as error:
        if faults is not None:
            reason = error.reason if isinstance(error, InputError) else error
            faults.append(f"{file.name} of this run cannot be read and is not used: {reason}")
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


def _main_names(path: str, faults: list[str]) -> list[str]:
    """The main statistics of the groups to which a run belongs, in their order, each with what stands in for it."""
    run = beside(path, "run_spec.json", faults)
    groups = _list(run.get("groups")) if isinstance(run, dict) else []
    folder = Path(path).absolute().parent
    # Runs lie in the folder of their suite, where the schema is, too.
    schema = beside(str(folder), "schema.json", faults) or beside(path, "schema.json", faults) if groups else None
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
    number = as_number(value)
    return int(number) if number is not None and number.is_integer() else -1
