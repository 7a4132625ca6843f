"""More machines than one, through dask.distributed: `connection` sends them benchmarks, or the fits of a large one."""
