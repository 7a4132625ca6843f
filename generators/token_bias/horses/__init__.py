"""The twenty-five horses: how few races find the fastest of n^2 animals, n at a time?

Read `races` (the answer, and its proof), `wording`, `advice` (hints and examples), `subsets`, `reading` (the second way
to every answer).
"""
