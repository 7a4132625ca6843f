"""The hand-written texts of the family, as plain data, and their loader."""
