"""What a file of answers is: our own lines, a log of a harness, or a table."""
