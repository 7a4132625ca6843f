"""Which version of the code and the libraries this is: numbers of another version are not the same numbers."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

__all__ = ["code_digest", "library_versions"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "nltk", "nupunkt", "syllapy", "textstat", "tiktoken")


@cache
def code_digest() -> str:
    """SHA-256 of all modules and recipes (TOML) of `audit` and `generators`, whatever they were released as."""
    import audit
    import generators

    digest = hashlib.sha256()
    for package in (audit, generators):
        root = Path(package.__path__[0])
        for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def library_versions() -> dict[str, str]:
    """The versions of Python, of this package and of the libraries that the numbers come from."""
    python = ".".join(map(str, sys.version_info[:3]))
    return {"hansproof": version("hansproof"), "python": python, **{name: version(name) for name in _LIBRARIES}}
