"""Which column is what, and what one cell says. Read `roles`, then `guesses`, `cells`, `items`, `kind`."""
