"""Options of each item: the record (`options`), how they are written (`given`, `printed`), which is gold (`golds`).

`reading` puts them together.
"""
