"""Syllogisms: two premises, a conclusion, and the question whether it follows.

Read `topics` (what they are about), `figures` (which ones are valid, and why no word tells), `wording` (English),
`framing` (who is said to have said it), `groups` (matched items), `advice` (hints and examples), `models` (the second
way to every answer).
"""
