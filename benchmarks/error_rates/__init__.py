"""How often the audit is wrong. Read `scenario`, `planting`, then `nulls`, `cues`, `groups` and `stability`.

`catalogue` lists them all, `running` audits them and appends records, `rates` counts, `tables` and `curves` show.
"""
