"""The whole audit on one screen: load, group, count, probe, measure, judge, explain.

`audit` is what `hansproof.audit` and the command line call; `examine` returns the per-item scores besides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from audit.features.vectors import THIRTEEN
from audit.loading import Columns, load
from audit.result import AuditResult, Settings
from generators.errors import NotAssessedError, UsageError
from generators.progress import Progress, unwatched

if TYPE_CHECKING:
    from audit.assessment import Assessment
    from audit.benchmark import Benchmark
    from audit.item_scores import ItemScore

__all__ = ["Examination", "audit", "examine", "make_settings"]


@dataclass(frozen=True)
class Examination:
    """A result and, where something was measured, what it was made from."""

    result: AuditResult
    benchmark: Benchmark | None = None
    assessment: Assessment | None = None

    def item_scores(self) -> list[ItemScore]:
        """One out-of-fold score an item, of the vector that the verdict is about; empty if not assessed."""
        if self.assessment is None:
            return []
        from audit.item_scores import item_scores

        return item_scores(self.assessment)


def audit(source: Any, **options: Any) -> AuditResult:
    """Audit one benchmark and say in one word whether its answers can be had without the ability it tests.

    `source` is a path, `hf://org/name[:config][@split]`, `-` (JSONL on standard input), a pandas or polars frame,
    a list of dicts or a Hugging Face Dataset. Options are those of `examine`. Raises HansproofError where the
    source cannot be read.
    """
    return examine(source, **options).result


def examine(
    source: Any,
    *,
    prompt: str | None = None,
    answer: str | None = None,
    group: str | None = None,
    split: str | None = None,
    template: str | None = None,
    id: str | None = None,
    name: str | None = None,
    max_left_out: float = 0.1,
    task: Literal["auto", "fixed"] = "auto",
    workers: int = 0,
    progress: Progress | None = None,
    **settings: Any,
) -> Examination:
    """Audit one benchmark and keep what the result was made from.

    The column names are guessed where they are not given; `task="fixed"` insists that the answers are one set of
    labels throughout; `workers=0` uses every core, and any number gives the same result. `settings` are those of
    `make_settings`.
    """
    if workers < 0:
        raise UsageError(f"workers is {workers}; it is a number of threads, or 0 for one a core")
    chosen = make_settings(task=task, split=split, max_left_out=max_left_out, **settings)
    columns = Columns(prompt=prompt, answer=answer, group=group, split=split, template=template, id=id)
    say = progress or unwatched
    say("reading", 0, 1)
    benchmark = load(source, columns, name=name, max_left_out=max_left_out)

    from audit.assembly import assemble, not_assessed
    from audit.columns.kind import kind

    found = kind(benchmark)
    if found.name == "too-few" or (task == "auto" and found.name != "fixed"):
        return Examination(not_assessed(benchmark, found.reason, chosen), benchmark)

    from audit.assessment import assess

    try:
        assessment = assess(benchmark, chosen, workers=workers, progress=say)
    except NotAssessedError as reason:
        return Examination(not_assessed(benchmark, str(reason), chosen), benchmark)
    return Examination(assemble(benchmark, assessment, chosen), benchmark, assessment)


def make_settings(
    *,
    protocol: Literal["grouped", "paper"] = "grouped",
    groups: Literal["auto", "found", "none"] = "auto",
    seed: int = 42,
    folds: int = 5,
    permutations: int = 999,
    bootstrap: int = 1000,
    threshold: float = 0.2,
    alpha: float = 0.05,
    upstream_counts: bool = False,
    trees: bool = False,
    grades: bool = False,
    solver: Literal["compiled", "scikit-learn"] = "compiled",
    task: Literal["auto", "fixed"] = "auto",
    split: str | None = None,
    max_left_out: float = 0.1,
) -> Settings:
    """The settings of a run, checked.

    `groups`: `auto` takes a named or recognised column and else finds groups, `found` finds them whatever columns
    there are, `none` lets every item stand alone. `grades` adds textstat's reading grades to the report; they never
    decide, and loading textstat takes about 150 MB. Raises UsageError with the permitted values.
    """
    _among("protocol", protocol, ("grouped", "paper"))
    _among("groups", groups, ("auto", "found", "none"))
    _among("solver", solver, ("compiled", "scikit-learn"))
    _among("task", task, ("auto", "fixed"))
    if not 0 <= max_left_out <= 1:
        raise UsageError(f"max_left_out is {max_left_out}; it is a share between 0 and 1")
    for what, value, low in (("folds", folds, 2), ("permutations", permutations, 19), ("bootstrap", bootstrap, 20)):
        if value < low:
            raise UsageError(f"{what} is {value}; it must be at least {low}")
    if folds > 20:
        raise UsageError(f"folds is {folds}; more than 20 fit the same probes over and over, and tell no more")
    for what, share in (("threshold", threshold), ("alpha", alpha)):
        if not 0 < share < 1:
            raise UsageError(f"{what} is {share}; it must lie between 0 and 1")
    if len(THIRTEEN) / (permutations + 1) >= alpha:
        raise UsageError(
            f"{permutations} permutations cannot show p < {alpha} after correction for {len(THIRTEEN)} vectors; "
            f"at least {math.floor(len(THIRTEEN) / alpha)} can"
        )
    if upstream_counts and protocol != "paper":
        raise UsageError("upstream counts reproduce a fault of the published code: use them with protocol 'paper'")
    return Settings(
        protocol=protocol,
        seed=seed,
        folds=folds,
        permutations=permutations,
        bootstrap=bootstrap,
        threshold=threshold,
        alpha=alpha,
        groups=groups,
        upstream_counts=upstream_counts,
        trees=trees,
        grades=grades,
        solver=solver,
        task=task,
        split=split,
        max_left_out=max_left_out,
    )


def _among(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise UsageError(f"{what} is {value!r}; known: {', '.join(known)}")
