"""A published split as such: learn on their training part, test on their test part, and say what the two share.

`parts` makes one benchmark of both, `scoring` fits and predicts, `overlap` (with `near`) finds what the test part has
in common with the training part, `shift` compares their answers, `judging` gives the verdict, `measuring` calls them
all. `advice` says what to change.
"""
