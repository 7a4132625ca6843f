"""From the bytes of a file to a table: the formats that belong to no harness."""
