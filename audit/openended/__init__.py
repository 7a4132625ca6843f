"""Open-ended answers: which of them can be had without the ability, by strategies that only look for them.

Read in this order: `examination` (the pipeline), `golds` (what counts as right), `strategies` (what is tried),
`crossfit` (nothing is learnt or chosen on the items that are asked), `advantage` (against the best constant),
`templates` (what similar texts contribute), `decision` (one word), `parts` (labels inside the answers), `assembly`
(the result).
"""
