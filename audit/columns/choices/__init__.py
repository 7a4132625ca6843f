"""Options of each item: how they are written (`given`, `literals`), which is gold (`golds`).

`reading` puts them together with those that prompts print (`audit.columns.printed`) in an `audit.benchmark.Options`.
"""
