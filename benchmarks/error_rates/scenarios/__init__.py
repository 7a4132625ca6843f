"""What is planted. Read `planting`, then the scenarios: `nulls`, `cues`, `groups`, `stability`, and the others."""
