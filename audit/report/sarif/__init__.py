"""A result as SARIF 2.1.0, for code-scanning pages: `rules.py` says what can be wrong, `log.py` where it is."""
