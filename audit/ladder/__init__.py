"""The ladder: simple shortcuts one above the other, and the simplest that is enough.

Read `rungs` (what stands on the ladder), `ngram` (the single n-gram), `climbing` (kappas, gains, which rung is enough),
`sentence` and `measuring` (all of it together), in this order.
"""
