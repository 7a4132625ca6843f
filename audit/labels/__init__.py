"""Benchmarks whose items share one set of answers: measured, and put into a result.

Read `assessment` (the steps), `course` (what is fitted until there is a verdict), `explaining` (what is looked at once
there is one), then `assembly` with `notes` (the result) and `item_scores`.
"""
