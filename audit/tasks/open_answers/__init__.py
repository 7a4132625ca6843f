"""Benchmarks with open answers: blind strategies instead of probes."""
