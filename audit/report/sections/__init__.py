"""The sentences of one section of a report each, which the terminal and the page share."""
