"""Which single n-grams go with an answer, of all that the texts have (Gardner et al. 2021, "Competency Problems").

`counts` counts each n-gram once per group, `survey` tests all of them at once and chooses what is shown. The
probe plays no part: its own evidence is in `audit.probes.evidence`.
"""
