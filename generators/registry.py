"""The visible table of datasets: name -> module, imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from generators.dataset import Dataset
from generators.errors import unknown

__all__ = ["MODULES", "dataset"]

MODULES = {
    "planted-cues": "generators.planted_cues.dataset",
    "knights-knaves": "generators.knights_knaves.dataset",
    "word-problems": "generators.word_problems.dataset",
    "token-bias": "generators.token_bias.dataset",
    "cognitive-tasks": "generators.cognitive_tasks.dataset",
}
"""One line a family; its module has a `DATASET`."""


def dataset(name: str) -> Dataset:
    """The dataset called `name`; its module is imported now. Raises UsageError with the known names."""
    if name not in MODULES:
        raise unknown("dataset", name, MODULES)
    family: Dataset = import_module(MODULES[name]).DATASET
    return family
