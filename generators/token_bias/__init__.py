"""Token bias after Jiang et al. (2024): matched items with the same logic, one of which invites a fallacy."""
