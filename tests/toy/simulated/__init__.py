"""Simulated models and participants of known truth: what tests and benchmarks draw from."""
