"""Who an item is about: given names, genders and ages, all drawn independently of everything else."""

from __future__ import annotations

from generators.token_bias.lexicon.entries import listed

__all__ = ["GENDERS", "NAMES"]

GENDERS = ("woman", "man")
"""As `metadata.gender` has them."""

NAMES = {"woman": listed("names_women"), "man": listed("names_men")}
"""Gender -> given names, of many origins, none of them in both lists."""
