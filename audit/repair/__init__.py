"""REPAIR: the smallest change of a benchmark after which its answers can no longer be predicted.

Start with `harden`, the front door, and `hardening`, the procedure. `holding_out` holds groups out, `search` chooses
rules on the other items and applies them to both, `goals` and `outcome` say what came of it, and `rows` writes what is
left. The search sees a `subject`, which is one of `labels` or of `options`; `cells`, `templates` and `removal` say
which items a rule costs.
"""
