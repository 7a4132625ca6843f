"""Benchmarks whose items share a few labels."""
