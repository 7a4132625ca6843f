"""Benchmarks with a known cue. Read `benchmark.py`, `design.py`, `frames.py`, `filling.py`, `dataset.py`."""

from generators.planted_cues.benchmark import SUBSETS, Subset, generate

__all__ = ["SUBSETS", "Subset", "generate"]
