"""Benchmarks with a known cue at a known strength, for testing audits."""
