"""Benchmarks with a known cue. Read `subsets`, `benchmark`, `design`, `formats`, `dataset`, `english`, `languages`."""
