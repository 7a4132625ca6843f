"""The phenotypes of the agents that need no language model: the table in the card of cognitive-tasks.

    python benchmarks/phenotype/baselines.py                        # every agent: a minute
    python benchmarks/phenotype/baselines.py random greedy          # some

Each agent plays the standard story of every task that it plays, all episodes of the release, with seed 0.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from hansproof.audit.phenotype.measuring import phenotype
from hansproof.audit.phenotype.result import Phenotype
from hansproof.audit.phenotype.task_records import make_records
from hansproof.audit.report.phenotype_words import number
from hansproof.generators.cognitive_tasks.agents import AGENTS, make_agent, simulate
from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.subsets import TASKS

__all__ = ["column", "main", "table"]


def column(name: str, tasks: Iterable[str] = TASKS) -> Phenotype:
    """The phenotype of an agent on the release's episodes of `tasks`; intervals are not worked out in earnest."""
    agent = make_agent(name)
    rows: dict[str, list[dict[str, object]]] = {}
    for task in tasks:
        if task in agent.acts:
            for index in range(TASKS[task].rows):
                item = DATASET.item(task, DATASET.seed, index)
                records = TASKS[task].records(item, simulate(agent, item, 0).actions)
                rows.setdefault(task, []).extend({"run": index, **record} for record in records)
    return phenotype(make_records(rows, name), resamples=2)


def table(columns: Sequence[Phenotype]) -> str:
    """Markdown: the sixteen metrics, of people and of each agent; a dash where the task was not played."""
    names = ["metric", "people", *(each.name for each in columns)]
    lines = [f"| {' | '.join(names)} |", f"|---{'|---:' * (len(names) - 1)}|"]
    for metrics in zip(*(each.metrics for each in columns), strict=True):
        first = metrics[0]
        if first.variant_of:
            continue
        played = [first.task in {task.task for task in each.tasks} for each in columns]
        cells = [number(metric, metric.value) if plays else "-" for metric, plays in zip(metrics, played, strict=True)]
        lines.append(f"| {' | '.join([first.title, number(first, first.human), *cells])} |")
    return "\n".join(lines)


def main(names: Sequence[str]) -> int:
    """Print the table of the agents named, or of all."""
    print(table([column(name) for name in names or AGENTS]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
