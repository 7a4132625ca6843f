"""Benchmarks whose items have options of their own: the probe asks of each whether it is the one."""
