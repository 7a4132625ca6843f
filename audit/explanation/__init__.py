"""What explains a kappa, beyond the feature vector that has it.

`clean` and `format_share` say how much of it is the format of the texts, `mentions` whether the answers stand in the
prompt by design, `blanks` makes white space visible.
"""
