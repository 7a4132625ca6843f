"""The phenotype in the README's figure: each task played by an agent that needs no language model, as often as the
README recommends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from audit.phenotype.measuring import phenotype
from audit.phenotype.records.table import make_records
from audit.phenotype.result import Phenotype
from generators.cognitive_tasks.agents.simulation import simulate
from generators.cognitive_tasks.agents.table import make_agent
from generators.cognitive_tasks.dataset import DATASET
from generators.cognitive_tasks.subsets import TASKS

__all__ = ["PLAYED", "pictured"]

_SEED: Final = 7

PLAYED: Final[Mapping[str, tuple[str, int]]] = {
    "probabilistic-reasoning": ("bayes-optimal", 200),
    "horizon": ("upper-confidence-bound", 300),
    "restless-bandit": ("rescorla-wagner", 20),
    "instrumental-learning": ("rescorla-wagner", 20),
    "two-step": ("model-based", 100),
    "temporal-discounting": ("random", 20),
    "balloons": ("expected-value-pumper", 20),
}
"""Task -> its agent, and how many episodes it plays."""


def pictured(name: str = "seven simulated agents") -> Phenotype:
    """The phenotype of all of them as one participant."""
    rows = {}
    for task, (agent, count) in PLAYED.items():
        player = make_agent(agent)
        items = [DATASET.item(task, _SEED, index) for index in range(count)]
        rows[task] = [
            {"run": index, **record}
            for index, item in enumerate(items)
            for record in TASKS[task].records(item, simulate(player, item, index).actions)
        ]
    return phenotype(make_records(rows, name))
