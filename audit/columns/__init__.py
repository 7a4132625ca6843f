"""Which column of a table is what, and the items that this makes: from a `Table` to a `Benchmark`.

Read in this order: `roles` (what the user named, else a guess), `guesses` and `usual_names` (how columns are
guessed), `cells` (what one cell says), `printed` (options inside a prompt), `choices` (all options of an item), `items`
(rows to a `Benchmark`), `remarks` (its notes), `kind` (what kind of task it is).
"""
