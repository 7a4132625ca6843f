"""Commands for items that are played: `run`, `simulate`, `phenotype`."""
