"""The designs: each file draws the problems of some subsets. Read `chain` first."""
