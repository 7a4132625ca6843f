"""Blind strategies: what they read in a prompt (`quantities`, `reading`), those that learn nothing (`arithmetic`,
`spans`), and those that learn which answer, place or cue works (`cues`, `learners`)."""
