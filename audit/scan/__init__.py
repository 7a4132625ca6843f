"""A folder of benchmarks: `folder` says what is done in which order, `processes` runs small benchmarks side by side."""
