"""Small studies to test with."""

import numpy as np

from benchmarks.reliance.simulated import World, simulated


def parted(seed=0, **changes):
    """The first benchmark of a simulated world."""
    return simulated(World(**changes), np.random.default_rng(seed))[0]
