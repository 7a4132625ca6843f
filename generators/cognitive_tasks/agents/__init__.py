"""Agents that play the tasks without a language model: baselines, and makers of runs whose truth is known.

Read `agent` (what an agent is) and `table` (all of them), then any agent; `simulation` lets one play an item.
"""
