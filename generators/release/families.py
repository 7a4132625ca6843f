"""What the audit may know of the datasets: the record, its subsets and the look-up by name.

The audit imports releases and never the registry; the release command reaches a dataset through here.
"""

from __future__ import annotations

from generators.dataset import Dataset, Subset
from generators.registry import dataset

__all__ = ["Dataset", "Subset", "dataset"]
