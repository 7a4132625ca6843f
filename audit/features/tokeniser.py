"""nltk's word tokeniser without the rest of nltk, which would load scikit-learn, pandas and scipy.stats.

`import nltk` takes two seconds and 160 MB for what is one module of regular expressions. That module is loaded under
a package that knows only where nltk's files are; nothing of this is left behind, so that a later `import nltk`
of the same process is the real one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType

__all__ = ["word_tokeniser"]

_LOCK = Lock()


def word_tokeniser() -> Callable[[str], list[str]]:
    """`tokenize` of nltk's NLTKWordTokenizer: Penn Treebank conventions (MacIntyre 1995), needs no data."""
    with _LOCK:
        module = _alone() if "nltk" not in sys.modules else import_module("nltk.tokenize.destructive")
    tokenise: Callable[[str], list[str]] = module.NLTKWordTokenizer().tokenize
    return tokenise


def _alone() -> ModuleType:
    spec = find_spec("nltk")
    places = list(spec.submodule_search_locations or []) if spec else []
    try:
        for name, folders in (("nltk", places), ("nltk.tokenize", [f"{place}/tokenize" for place in places])):
            package = ModuleType(name)
            package.__path__ = folders
            sys.modules[name] = package
        return import_module("nltk.tokenize.destructive")
    finally:
        for name in [name for name in sys.modules if name == "nltk" or name.startswith("nltk.")]:
            del sys.modules[name]
