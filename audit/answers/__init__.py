"""Model answers: read from whatever harness wrote them, joined to items, and laid out as one grid of right and wrong.

Read in this order: `reply` (one answer, as a file gives it), `sources` (which files; `read_families`), `reading` (files
of any format, `lines` for our own, `importers/` for each other), `items` (items that are not ours, scored by
`third_party`), `joining` (answers to items, with what was left over), `grid` (items by series).
`hansproof.answered.join_answers` does all of it. `audit.responses` scores single replies; statistics of grids are in
`audit.study`, `audit.reliance` and `audit.paired`.
"""
