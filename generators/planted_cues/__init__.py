"""Benchmarks with a known cue. Read `benchmark`, `design`, `frames`, `filling`, `dataset`."""
