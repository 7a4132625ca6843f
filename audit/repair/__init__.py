"""REPAIR: the smallest change of a benchmark after which its answers can no longer be predicted.

Start with `harden.py`, the front door. `pool.py` holds groups out, `search.py` chooses rules on the other items,
`rules.py` applies them to both, `cells.py` says which items a rule costs, and `rows.py` writes those that are left.
"""
