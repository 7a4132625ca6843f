"""The visible table of datasets: name -> module, imported when it is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from generators.dataset import Dataset
from generators.errors import UsageError

__all__ = ["MODULES", "dataset"]

MODULES = {
    "planted-cues": "generators.planted_cues.dataset",
    "knights-knaves": "generators.knights_knaves.dataset",
    "word-problems": "generators.word_problems.dataset",
}
"""One line a family; its module has a `DATASET`."""


def dataset(name: str) -> Dataset:
    """The dataset called `name`; its module is imported now. Raises UsageError with the known names."""
    if name not in MODULES:
        near = get_close_matches(name, MODULES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"no dataset is called {name!r}.{hint} Known: {', '.join(MODULES)}")
    found: Dataset = import_module(MODULES[name]).DATASET
    return found
