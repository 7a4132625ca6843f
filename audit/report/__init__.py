"""What people and programs see of an audit.

Read in this order: `words`, `findings` and `sections` (what both reports share), `terminal`, `page`, then the documents
for programs: `document` (JSON), `itemsfile` (one line per item) and `sarif`.
"""
