"""What is planted. Read `planting` and `made`, then the scenarios: `nulls`, `cues`, `groups`, `stability`."""
