"""The ladder: simple shortcuts one above the other, and the simplest that is enough.

Read `rungs` (what stands on the ladder), `ngram` (the single n-gram), `choice` (one prediction per rung), `climbing`
(kappas, gains, which rung is enough) and `wording`, in this order.
"""
