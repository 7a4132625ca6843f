"""Items with options: which can be used (`entry`), as rows (`pool`), and which belong together (`grouping`)."""
