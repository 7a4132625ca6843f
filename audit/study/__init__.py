"""A whole study of model answers: what was read, accuracies, differences, effects, and accuracies where the probe is
right and where it is wrong.

Read in this order: `records` (all that the page shows, and the JSON holds), `answered` (joined answers as records),
`sections/` (records as tables), `page` (the tables as one HTML page) and `study` (the whole).
"""
