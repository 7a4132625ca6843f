"""`hansproof analyse`: the command, the table of kinds (`kinds.py`), and a file per kind: what it takes and makes."""
