"""Auditing as commands need it: running, reports, exit codes, benchmarks that models answered. Commands are elsewhere."""
