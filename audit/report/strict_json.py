"""Values that every JSON reader accepts: no NaN, no infinity, no half of a surrogate pair."""

from __future__ import annotations

import math
import re
from typing import Any, Final

__all__ = ["encodable", "strict"]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def strict(value: Any) -> Any:
    """`value` with NaN and infinities as None and lone surrogates as U+FFFD, in dicts, lists and tuples too."""
    if isinstance(value, dict):
        return {strict(key): strict(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [strict(part) for part in value]
    if isinstance(value, str):
        return encodable(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def encodable(text: str) -> str:
    """`text` with lone surrogates replaced by U+FFFD, so that it can be written as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)
