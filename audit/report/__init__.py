"""What people and programs see of an audit.

Read in this order: `words` and `findings` (what both reports share), `terminal`, `page`, then the documents for
programs: `document` (JSON) and `itemsfile` (one line per item).
"""
