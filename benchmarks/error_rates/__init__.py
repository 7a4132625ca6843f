"""How often the audit is wrong. Read `scenario`, then the folder `scenarios`, and `catalogue`, which lists them all.

`running` audits them, `records` keeps what came out, `rates` counts, `tables` and `curves` show.
"""
