"""The designs: each module draws the problems of one or two subsets. Read `chain`, `casting`, `quantities` first."""
