"""The groups of a benchmark as its settings choose them: declared, detected in the texts, or none."""

from __future__ import annotations

from audit.benchmark import Benchmark
from audit.texts.grouping import Groups, column_groups, find_groups, no_groups
from generators.errors import NotAssessedError

__all__ = ["groups_of", "refuse_one_group"]


def groups_of(benchmark: Benchmark, mode: str) -> Groups:
    """The groups of the items under one `audit.settings.GroupMode`.

    Columns whose values repeat only add to what the texts show; a column that the author named replaces it.
    """
    if mode == "none":
        return no_groups(len(benchmark.prompts))
    if mode == "auto" and benchmark.groups is not None:
        if benchmark.mapping.sources:
            return find_groups(benchmark.prompts, benchmark.groups, benchmark.mapping.group or "")
        return column_groups(benchmark.groups, benchmark.mapping.group or "", benchmark.prompts)
    return find_groups(benchmark.prompts)


def refuse_one_group(groups: Groups) -> None:
    """Raise NotAssessedError if all items belong to one group, because then nothing can be held out."""
    if groups.index.max() == 0:
        raise NotAssessedError(
            f"All {len(groups.index)} items belong to one group, so none can be held out. Set groups to 'none' to see "
            f"the result of random folds."
        )
