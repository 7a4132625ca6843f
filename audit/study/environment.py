"""The templates of pages that need nothing but what all pages have: comparisons, and their plans."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment

from audit.report import plaintext
from audit.report.page.document import environment

__all__ = ["plain_environment"]


@cache
def plain_environment() -> Environment:
    """The templates of this folder, with `ending`: the last part of a path, as text."""
    plain = environment("audit.study")
    plain.filters |= {"ending": plaintext.last_part}
    return plain
