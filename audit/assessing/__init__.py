"""What measuring fixed labels and measuring options per item have in common.

`belonging` says which items belong together, `course` in what order to measure until there is a verdict, and `assessed`
what is then known. What is fitted, and on what: `audit.labels` and `audit.options`.
"""
