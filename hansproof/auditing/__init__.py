"""Auditing as commands need it: running, reports, exit codes, and benchmarks that models answered."""
