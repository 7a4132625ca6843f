"""What model answers say about matched pairs: is the hard item of a pair got wrong more often than the easy one?

Read `paired.py` (the statistics of two columns of right and wrong), `effects.py` (from items and scores to effects by
subset and slice), then `effects_terminal.py` (what is printed).
"""
