"""Many benchmarks: folders, processes, machines, and room for the numeric libraries."""
