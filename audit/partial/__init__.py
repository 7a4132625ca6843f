"""Partial input: probes that see one part of every prompt, such as the hypothesis without its premise.

Read `inputs` (which parts there are), `marks` and `ends` (how one text is split), `probing` (the probes), `choice` (one
prediction from several vectors) and `advice`, in this order. Gururangan et al. (2018), Poliak et al. (2018).
"""
