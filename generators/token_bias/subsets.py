"""The visible table of rooms: all subsets of the family, in the order of the release."""

from __future__ import annotations

from generators.token_bias.conjunction.subsets import CONJUNCTION
from generators.token_bias.horses.subsets import HORSES
from generators.token_bias.letters.subsets import LETTERS
from generators.token_bias.plan import Room
from generators.token_bias.syllogism.subsets import SYLLOGISM

__all__ = ["PLANS"]

PLANS: Room = {**CONJUNCTION, **SYLLOGISM, **HORSES, **LETTERS}
"""One room after the other. A room is a folder with a `subsets` module."""
