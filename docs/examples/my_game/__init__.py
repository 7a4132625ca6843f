"""A game of one's own: two machines, five turns."""
