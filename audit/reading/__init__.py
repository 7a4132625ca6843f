"""From anything that names or holds a benchmark to a `Benchmark`: sources, columns, recipes."""
