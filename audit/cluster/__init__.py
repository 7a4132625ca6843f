"""More machines than one, through dask.distributed: `connection` sends them fits, `audit.scan` whole benchmarks."""
