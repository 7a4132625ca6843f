"""A family of one's own: sums with a level of difficulty, and matched pairs."""
