"""COPA's XML: a premise, two alternatives, and which of them is the cause or the effect.

XML can name other files and can unfold a few lines into gigabytes. Entities are what does both, so a document that
declares any is refused; the document type itself is never fetched.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from audit.benchmark import LeftOut
from audit.formats.table import Row, Table
from generators.errors import InputError

__all__ = ["is_xml", "xml_table"]

_ROLES = (
    ("template", "{premise}\n{question}"), ("answer", "label"), ("choices", "alternatives"), ("id", "idx"),
)  # fmt: skip
_PARTS = {"p": "premise", "a1": "choice1", "a2": "choice2"}
_OTHER = "unknown format: XML; of XML only COPA's is read: export the items to JSONL or CSV"


def is_xml(data: bytes) -> bool:
    """True for bytes that begin as XML does, or as COPA's corpus does without a declaration."""
    return data.lstrip().startswith((b"<?xml", b"<copa-corpus", b"<!DOCTYPE copa"))


def xml_table(data: bytes, place: str) -> Table:
    """One row per item, with the columns of its SuperGLUE form; `label` is 0 or 1.

    Raises InputError for XML that is broken, declares entities, or is another corpus.
    """
    reader = _Reader(place)
    parser = expat.ParserCreate(_encoding(data))
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = reader.refuse_entity
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise InputError(f"broken XML: {what}", f"{place}: line {error.lineno}") from error
    except (LookupError, ValueError) as error:
        raise InputError(f"broken XML: {error}", place) from error
    return Table.of("COPA XML", reader.rows, reader.left_out, defaults=_ROLES, for_any=False)


def _encoding(data: bytes) -> str | None:
    """UTF-8 for bytes that are, whatever they declare: UTF-16 has been turned into it. None leaves it to the XML."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


class _Reader:
    """Collects the items of a corpus."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.rows: list[Row] = []
        self.left_out: list[LeftOut] = []
        self._item: dict[str, Any] | None = None
        self._part: str | None = None
        self._root = True

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._root and name != "copa-corpus":
            raise InputError(_OTHER, self.place)
        self._root = False
        if name == "item":
            self._item = {
                "idx": attributes.get("id"), "question": attributes.get("asks-for"),
                "label": {"1": 0, "2": 1}.get(attributes.get("most-plausible-alternative", "")),
            }  # fmt: skip
        self._part = _PARTS.get(name) if self._item is not None else None

    def text(self, text: str) -> None:
        if self._item is not None and self._part is not None:
            self._item[self._part] = self._item.get(self._part, "") + text

    def end(self, name: str) -> None:
        self._part = None
        if name != "item" or self._item is None:
            return
        item, self._item = self._item, None
        place = f"item {len(self.rows) + len(self.left_out) + 1}"
        if not all(item.get(part, "").strip() for part in _PARTS.values()):
            self.left_out.append(LeftOut(place, "an item without a premise and two alternatives"))
            return
        item |= {part: item[part].strip() for part in _PARTS.values()}
        self.rows.append(Row(place, {**item, "alternatives": [item["choice1"], item["choice2"]]}))

    def refuse_entity(self, *declared: object) -> None:
        raise InputError("XML that declares entities, which no benchmark needs and some attacks use", self.place)
