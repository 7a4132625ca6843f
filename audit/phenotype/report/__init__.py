"""What a person sees of phenotypes: a table, a figure and a page."""
