"""What is said of differences: `doubts` (what looks odd in any of them), `sentences` (what is said of a comparison)."""
