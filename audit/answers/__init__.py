"""Model answers: read from whatever harness wrote them, joined to items, and laid out as one grid of right and wrong.

Read in this order: `reply` (one answer, as a file gives it), `reading` (files of any format: `files/` for
which and for our own, with `read_families`; `importers/` for each other), `items` (items that are not ours, with
`third_party`, their scorer), `judging/` (one reply, read and scored), `joining` (answers to items, with what was left
over), `grid` (items by series). `hansproof.scoring.join_answers` does all of it. `audit.responses` reports on one
series; statistics of grids are in `audit.study`, `audit.reliance` and `audit.paired`.
"""
