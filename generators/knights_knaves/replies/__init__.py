"""What people and models do with puzzles: forms of answer, reading, scores, explanations, errors in reasoning."""
