"""The records of a study as tables for the page: texts, and where marks are drawn."""
