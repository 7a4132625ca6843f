"""Which syllogisms are valid, and why no word of theirs tells.

With X and Y for a kind and its category, or for two kinds of one category, in either role:

    All X are Y. Some Y are so. Therefore, some X are so.     does not follow: those Y may all be others than X
    All X are Y. Some X are so. Therefore, some Y are so.     follows

The two differ in which term the second premise is about, so they hold the same words, and apart from capitals the same
pairs of neighbouring words. Where there are both, either term may come first (`All roses are tulips`, `All tulips are
roses`), so that the term of the second premise alone, or that of the conclusion alone, goes with both answers equally
often: valid is whether the two choices agree, and neither an n-gram of two words nor what is true of the world knows.
"""

from __future__ import annotations

from dataclasses import dataclass

from generators.token_bias.syllogism.topics import Triple

__all__ = ["Figure"]


@dataclass(frozen=True)
class Figure:
    """Which term stands where."""

    inside: bool
    """Whether the first premise says `All roses are flowers`, and not `All flowers are roses`."""
    about_kind: bool
    """Whether the second premise says something of `some roses`, and the conclusion of `some flowers`."""

    @classmethod
    def of(cls, inside: bool, valid: bool) -> Figure:
        """The figure with this first premise that is valid, or not."""
        return cls(inside, inside == valid)

    @property
    def valid(self) -> bool:
        """Whether the conclusion follows: both premises are about the same term."""
        return self.inside == self.about_kind

    def terms(self, triple: Triple) -> tuple[str, str, str, str]:
        """(X, Y, S, C) in `All X are Y. Some S are so. Therefore, some C are so.`"""
        kind, category = triple.kind, triple.category
        first = (kind, category) if self.inside else (category, kind)
        return (*first, kind, category) if self.about_kind else (*first, category, kind)

    def conclusion_true(self, triple: Triple) -> bool:
        """Whether the conclusion is true of the world, whether or not it follows."""
        return triple.shared or self.about_kind
