"""What of a folder may hold answers: logs and tables of every kind, without what a harness writes beside its logs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from audit.formats.content import bare_name

__all__ = ["ENDINGS", "STATE", "FolderFiles", "files_within"]

STATE = "scenario_state.json"
"""The answers of a run of HELM, whose folder is one log."""
ENDINGS = (".eval", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".parquet")
"""Of files that may hold answers, packed or not."""

_OF_HELM = frozenset(
    f"{name}.json"
    for name in (
        "annotations", "display_predictions", "display_requests", "instances", "per_instance_stats", "run_spec",
        "scenario", "stats",
    )
)  # fmt: skip
"""What HELM writes beside a scenario state."""
_OF_SUITE = frozenset(
    f"{name}.json"
    for name in ("costs", "groups", "groups_metadata", "run_specs", "runs", "runs_to_run_suites", "schema", "summary")
)
"""What `helm-summarize` writes into the folder of a suite of runs."""
_SAMPLES = re.compile(r"samples_.+?(?:_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\.jsonl")
"""The answers of lm-evaluation-harness; its results of the same date are a part of them."""
_RESULTS = re.compile(r"results.*\.json")


@dataclass(frozen=True)
class FolderFiles:
    """The files of a folder and of the folders in it, in the order of their paths."""

    answers: tuple[str, ...]
    """Those that may hold answers, by their names."""
    others: tuple[str, ...]
    """Those of other kinds. What a harness writes beside its logs, and hidden files, are neither."""


def files_within(folder: Path) -> FolderFiles:
    """The files of `folder`. Raises OSError where it cannot be searched."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts) and not path.is_dir()
    )
    runs = {path.parent for path in files if path.name == STATE}
    suites = {folder for run in runs for folder in (run, run.parent, run.parent.parent)}
    samples = [match for path in files if (match := _SAMPLES.fullmatch(path.name))]
    dates = tuple(f"_{match['date']}.json" for match in samples if match["date"])
    answers: list[str] = []
    others: list[str] = []
    for path in files:
        of_lm_eval = bool(samples) and (path.name.endswith(dates) or _RESULTS.fullmatch(path.name) is not None)
        of_helm = (path.parent in runs and path.name in _OF_HELM) or (path.parent in suites and path.name in _OF_SUITE)
        if of_lm_eval or of_helm:
            continue
        (answers if bare_name(path)[1] in ENDINGS else others).append(str(path))
    return FolderFiles(tuple(answers), tuple(others))
