"""What CLEAN could have missed: cues injected into the author's own texts, and the weakest that the audit finds.

Read `markers.py` (what a cue says of each item), `words.py` and `numbers.py` (how items carry it), then `findable.py`,
which raises the strength until the cue is found.
"""
