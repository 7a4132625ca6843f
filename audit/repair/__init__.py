"""REPAIR: the smallest change of a benchmark after which its answers can no longer be predicted.

Start with `harden`, the front door, and `hardening`, the procedure. `pool` holds groups out, `search` chooses rules on
the other items, `rules` applies them to both, `cells` says which items a rule costs, `goals` and `outcome` say what
came of it, and `rows` writes the items that are left.
"""
