"""Records of finished runs, one row per trial: their columns, and the ways in which they come."""
