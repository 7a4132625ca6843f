"""Metrics of each task: six of performance, ten of behaviour, and variants of some of them."""
