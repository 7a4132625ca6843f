"""What people and models do with puzzles: forms of answer, reading, explanations, errors in reasoning."""
