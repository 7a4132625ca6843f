"""From predictions to numbers: `scheme` (labels) with `kappas` and `measured`, and what doubts them.

`stretch` refits on halves and on relabelled answers, `clusters` leaves out similar texts.
`limits` says what a probe must reach to be found.
"""
