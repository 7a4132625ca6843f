"""Logs of lm-evaluation-harness: `samples` has the replies, `targets` the gold answers, `results` what a run says."""
