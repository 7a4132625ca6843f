"""How accurate are models where the probe of the audit is right, and where it is wrong? Pacchiardi et al. (2024).

The probe that won the audit parts the items into those that it predicts and those that it does not. Nothing here gives
a verdict on a model (`records.NO_VERDICT` says why). Read in this order: `parts` (items, parts and answers of one
benchmark), `estimate` (a mean with what each group contributes to its error), `strata` (the difference between the
parts, also among like items), `difficulty/` (what of it the difficulty of the items does not explain), `errors` (wrong
answers that agree with the probe's), `pairs` (all of these for each model and benchmark), `families` (the paper's
t-tests), `regression` (all models at once), `models` (each model over all benchmarks), `rounds` (the same again without
some models in the difficulty of the others), `study` (the whole on one screen), `records` (what comes out) and
`figures/`.
"""
