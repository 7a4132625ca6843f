"""The English texts. Read `frames` (wording), `parts` (what it is assembled from), `filling`, `phrases`, `manners`."""
