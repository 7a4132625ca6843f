"""Knights and knaves, after TruthQuest (Mondorf & Plank 2024): who tells the truth, and who lies?"""
