"""Arrays in, numbers out: agreement, shares, intervals, tests and power. Imports nothing else of the audit."""
