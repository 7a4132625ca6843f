"""What people and programs see of an audit.

Read in this order: `result` (what there is to show), `words` (how it is said), `terminal`, `page`, `document`
(the JSON) and `itemsfile` (one line an item).
"""
