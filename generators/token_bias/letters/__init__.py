"""Letters on a die: which row of letters is likelier to turn up, after Tversky and Kahneman (1983).

Read `chances` (how likely a row is), `designs` (which rows stand beside each other), `advice` (hints and examples),
`subsets`, `reading` (the second way to every answer).
"""
