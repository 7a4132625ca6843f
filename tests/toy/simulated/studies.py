"""Small studies to test with."""

import numpy as np

from hansproof.audit.models.reliance.difficulty import halvings
from simulated.reliance import World, simulated


def parted(seed=0, **changes):
    """The first benchmark of a simulated world."""
    return simulated(World(**changes), np.random.default_rng(seed))[0]


def both_ways(families):
    """Every halving of other models of these families (J,), either half once the proxy."""
    return [half for halving in halvings(families) for half in (halving, ~halving)]
