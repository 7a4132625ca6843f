"""Two models, two prompts or two dates on the same items: is one of them better, and how sure is that?

Read in this order: `sides` (which columns of a grid are A and B), `difference` (the numbers of one set of items, the
only place where pairs of right and wrong are compared), `balance` (equal numbers of runs), `interval`, `equivalence`
(is the difference negligible?), `verdict` (from numbers to a word), `clear` (the same where both replies are clear),
`comparison` (all items, subsets and conditions, and the items that changed), `models` (every two of a grid), `planning`
(how many items a difference takes, before anybody pays for them), `wording` (what is said of all that).
"""
