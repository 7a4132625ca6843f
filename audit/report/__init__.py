"""What people and programs see of an audit.

Read in this order: `words`, `findings` and `sections` (what both reports share), `terminal`, `page`, then `sarif` for
code-scanning pages. The JSON of a result: `audit.documents`.
"""
