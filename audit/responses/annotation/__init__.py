"""Errors of reasoning, marked by people in forms: read `forms.py`, then `rows.py` (forms as spreadsheets save them)."""
