"""The designs: each draws the problems of one subset. Read `chain` first, then `casting` and `quantities`."""
