"""Items whose answers are one set of labels, numbered, grouped and counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.benchmark import Benchmark
from audit.texts.feature_table import FeatureTable
from audit.texts.grouping import Groups

__all__ = ["Labelled"]


@dataclass(frozen=True)
class Labelled:
    """N items in the order in which they are measured."""

    benchmark: Benchmark
    table: FeatureTable
    y: NDArray[np.int64]
    """(N,) label numbers in order of first appearance, so that the names of the labels change nothing."""
    labels: list[str]
    groups: Groups
