"""Lists and objects that Python or NumPy wrote as text, as pandas puts them into CSV files: read as data, never run.

`['a', 'b']`, `{'text': array(['a', 'b'], dtype=object)}`, and NumPy's own `['a' 'b']`, which Python would read as one
text. Time and memory are linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["LONGEST", "read_literal"]

LONGEST = 1_000_000
"""Characters of a text that is still read; options are shorter."""

_DEEPEST = 6
"""How deeply lists and objects may be nested: `[{'text': array(['a'])}]` is 3 deep."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>'[^'\\\n]*(?:\\.[^'\\\n]*)*'|"[^"\\\n]*(?:\\.[^"\\\n]*)*")"""
    r"""|(?P<number>[+-]?(?:\d{1,18}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?)(?![\w.])"""
    r"""|(?P<name>[A-Za-z_][\w.]{0,40})|(?P<sign>[\][(){}:,=]))""",
    re.S,
)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_CONSTANTS = {"True": True, "False": False, "None": None, "nan": None, "NaN": None, "null": None}
_WRAPPERS = re.compile(r"(?:np\.|numpy\.)?(?:array|str_|bool_?|u?int\d*|float\d*)\Z")


def read_literal(text: str) -> Any:
    """The list, tuple (as a list) or dict that `text` spells. Raises ValueError for anything else, and if it is long.

    A list is divided by commas, or without any commas by blanks. `nan` is None.
    """
    if len(text) > LONGEST:
        raise ValueError(f"longer than {LONGEST:,} characters")
    reader = _Reader(text)
    value = reader.value(0)
    if not isinstance(value, (list, dict)) or reader.rest():
        raise ValueError("no list or object")
    return value


class _Reader:
    """The tokens of a text, one ahead."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._kind, self._token = "", ""
        self._next()

    def rest(self) -> bool:
        """Whether anything is left."""
        return bool(self._kind)

    def value(self, depth: int) -> Any:
        kind, token = self._kind, self._token
        if depth > _DEEPEST or not kind:
            raise ValueError("nested too deeply, or cut off")
        self._next()
        if kind == "text":
            return _ESCAPE.sub(_unescaped, token[1:-1]) if "\\" in token else token[1:-1]
        if kind == "number":
            return float(token) if re.search(r"[.eE]", token) else int(token)
        if kind == "name":
            return self._named(token, depth)
        if token == "[":
            return self._items("]", depth)
        if token == "(":
            return self._items(")", depth)
        if token == "{":
            return self._pairs(depth)
        raise ValueError(f"unexpected {token!r}")

    def _named(self, name: str, depth: int) -> Any:
        """A constant, or what a wrapper such as `array(..., dtype=object)` holds."""
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if not _WRAPPERS.match(name) or not self._skip("("):
            raise ValueError(f"unknown name {name!r}")
        value = self.value(depth + 1)
        if self._skip(",") and self._token == "dtype":
            self._next()
            if not self._skip("=") or self._kind not in ("name", "text"):
                raise ValueError("no type")
            self._next()
        if not self._skip(")"):
            raise ValueError("no closing bracket")
        return value

    def _items(self, end: str, depth: int) -> list[Any]:
        values: list[Any] = []
        commas = 0
        while not self._skip(end):
            values.append(self.value(depth + 1))
            commas += self._skip(",")
        # `['a' 'b', 'c']` would be two texts in Python and three in NumPy: better none than a wrong one.
        if 0 < commas < len(values) - 1 or (end == ")" and commas < len(values) - 1):
            raise ValueError("some values are divided by commas, some are not")
        return values

    def _pairs(self, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        while not self._skip("}"):
            if self._kind not in ("text", "number"):
                raise ValueError("no key")
            key = self.value(depth + 1)
            if not self._skip(":"):
                raise ValueError("no value")
            values[str(key)] = self.value(depth + 1)
            if not self._skip(",") and self._token != "}":
                raise ValueError("no comma")
        return values

    def _skip(self, sign: str) -> bool:
        if self._kind != "sign" or self._token != sign:
            return False
        self._next()
        return True

    def _next(self) -> None:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            if self._text[self._at :].strip():
                raise ValueError("not a value")
            self._kind, self._token = "", ""
            return
        self._at = match.end()
        self._kind = match.lastgroup or ""
        self._token = match[self._kind]


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        number = int(code[1:], 16)
        if number > 0x10FFFF:
            raise ValueError("no character has this number")
        return chr(number)
    return _ESCAPED.get(code, code if code in "\\'\"" else match[0])
