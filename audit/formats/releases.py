"""Published releases with a form of their own: COPA's XML, questions within passages, labels in a second file."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.content import bare_name, text_beside
from hansproof.audit.formats.table import Row, Table
from hansproof.generators.errors import InputError

__all__ = ["from_document", "from_rows", "is_xml", "with_label_list", "xml_table"]

# COPA's XML could name other files or unfold a few lines into gigabytes. Entities are what does both, so a document
# that declares any is refused; the document type itself is never fetched.

_COPA_ROLES = (
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
    if b"<!ENTITY" in data:
        raise InputError("XML that declares entities, which no benchmark needs and some attacks use", place)
    try:
        corpus = ElementTree.fromstring(data.decode())  # as text, whatever encoding it declares
    except ElementTree.ParseError as error:
        what = expat.ErrorString(error.code)
        raise InputError(f"broken XML: {what}", f"{place}: line {error.position[0]}") from error
    except ValueError as error:
        raise InputError(f"broken XML: {error}", place) from error
    if corpus.tag != "copa-corpus":
        raise InputError(_OTHER, place)
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, item in enumerate(corpus.iter("item"), 1):
        texts = {column: (item.findtext(part) or "").strip() for part, column in _PARTS.items()}
        if not all(texts.values()):
            left_out.append(LeftOut(f"item {number}", "an item without a premise and two alternatives"))
            continue
        values = {
            "idx": item.get("id"), "question": item.get("asks-for"),
            "label": {"1": 0, "2": 1}.get(item.get("most-plausible-alternative", "")),
            **texts, "alternatives": [texts["choice1"], texts["choice2"]],
        }  # fmt: skip
        rows.append(Row(f"item {number}", values))
    return Table.of("COPA XML", rows, left_out, defaults=_COPA_ROLES, for_any=False)


# Each shape is told by its keys, never by the name of the file. A passage's name becomes a column, so that the
# questions of one passage can be kept together.

_UNANSWERABLE = "unanswerable"
_ON_PURPOSE = f"{{count:,}} questions have no answer on purpose; their gold is {_UNANSWERABLE!r}"
_ROWS_LOOKED_AT = 5
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What reading a passage that is none raises."""
_UNREADABLE = "a passage whose questions cannot be read"

_Record = dict[str, Any]


@dataclass(frozen=True)
class _Shape:
    """One way of nesting questions in a passage."""

    format: str
    nest: str
    """The key of the questions: a list of objects, an object of them by name or a single one; of RACE, a list of texts
    beside a list of options and a list of answers."""
    passage: dict[str, str]
    """Key of the passage -> column."""
    asked: dict[str, str]
    """Key of a question -> column."""
    roles: dict[str, str]
    """Role -> column. A passage has its texts, and its first question all that is no group and no id."""
    keyed: str = ""
    """The column for the key of each passage, where a document is an object of passages by name."""

    def questions(self, passage: _Record) -> Iterator[_Record]:
        """The questions as objects. Raises KeyError, TypeError, ValueError or AttributeError for a broken passage."""
        nested = passage[self.nest]
        if isinstance(nested, dict):
            named = all(isinstance(asked, dict) for asked in nested.values())
            yield from ({"id": f"{passage.get('id')}-{name}", **nested[name]} for name in nested) if named else [nested]
        elif isinstance(nested[0], str):
            for row in zip(*(passage[key] for key in self.asked), strict=True):
                yield dict(zip(self.asked, row))
        else:
            yield from nested

    def holds(self, value: Any) -> bool:
        """Whether an object is one passage of this shape."""
        needed = [column for role, column in self.roles.items() if role not in ("template", "group", "id")]
        needed += [field for _, field, _, _ in string.Formatter().parse(self.roles["template"]) if field]
        try:
            first = next(self.questions(value), {})
            return all(
                isinstance(value.get(key), (str, list)) for key, column in self.passage.items() if column in needed
            ) and all(key in first for key, column in self.asked.items() if column in needed)
        except _BROKEN:
            return False

    def rows(self, passage: _Record) -> list[_Record]:
        """The rows of one passage; raises as `questions` does."""
        shared = {column: passage[key] for key, column in self.passage.items() if key in passage}
        return [
            shared
            | {column: asked[key] for key, column in self.asked.items() if key in asked}
            | ({"answers": _UNANSWERABLE} if asked.get("is_impossible") is True else {})  # of SQuAD 2.0
            for asked in self.questions(passage)
        ]


def from_rows(table: Table) -> Table:
    """One row per question where the first rows are passages of one shape; else the table as it is."""
    passages = [(row.place, row.values) for row in table.rows]
    return _of_passages(passages, table.left_out) or table


def _of_passages(passages: list[tuple[str, Any]], left_out: tuple[LeftOut, ...] = ()) -> Table | None:
    first = [_plainly(passage) for _, passage in passages[:_ROWS_LOOKED_AT]]
    shape = _shape_of(first[0]) if first else None
    if shape is None or not all(shape.holds(passage) for passage in first):
        return None
    return _unfolded(shape, passages, left_out)


def _plainly(passage: Any) -> Any:
    """A passage as an object of texts: DREAM's is a list, and ReCoRD's has its entities by their places, of which the
    second is that of the last letter."""
    match passage:
        case [[str(), *_] as lines, [dict(), *_] as questions, str(name)]:
            return {"id": name, "dialogue": "\n".join(map(str, lines)), "questions": questions}
        case {"passage": {"text": str(text), "entities": [*places]}}:
            try:
                names = dict.fromkeys(text[place["start"] : place["end"] + 1] for place in places)
            except _BROKEN:
                return passage
            return {**passage, "passage": text, "entities": list(names)}
    return passage


def from_document(value: Any) -> Table | None:
    """The questions of a JSON document: SQuAD's articles, passages by name, DREAM's lists; None for any other."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        asked = [at for at, of in enumerate(value) if not isinstance(of, list) or of[1:2] != [[]]]
        return _of_passages([(f"dialogue {at + 1}", value[at]) for at in asked])
    if not isinstance(value, dict):
        return None
    articles = value.get("data")
    if isinstance(articles, list) and articles and all(_is_article(article) for article in articles[:_ROWS_LOOKED_AT]):
        return _unfolded(_SQUAD, list(_paragraphs(articles)))
    if (shape := _shape_of(value)) is not None:
        return _unfolded(shape, [("row 1", value)])
    members = list(value.items())
    shape = _shape_of(members[0][1]) if members else None
    if shape is None or not shape.keyed or not all(shape.holds(member) for _, member in members[:_ROWS_LOOKED_AT]):
        return None
    named = [(key, {shape.keyed: key, **member} if isinstance(member, dict) else member) for key, member in members]
    return _unfolded(shape, named)


def _unfolded(shape: _Shape, passages: list[tuple[str, Any]], left_out: tuple[LeftOut, ...] = ()) -> Table:
    """The rows of all passages; a passage that cannot be read is left out and listed."""
    rows: list[Row] = []
    unread = list(left_out)
    for place, passage in passages:
        try:
            made = shape.rows(_plainly(passage))
        except _BROKEN:
            unread.append(LeftOut(place, _UNREADABLE))
            continue
        rows += [Row(f"{place}, question {number}", values) for number, values in enumerate(made, 1)]
    without = sum(row.values.get("answers") == _UNANSWERABLE for row in rows)
    notes = (_ON_PURPOSE.format(count=without),) if without else ()
    return Table.of(shape.format, rows, unread, defaults=list(shape.roles.items()), notes=notes, for_any=False)


def _is_article(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("paragraphs"), list)


def _paragraphs(articles: list[Any]) -> Iterator[tuple[str, Any]]:
    """The paragraphs of SQuAD 1.1 or 2.0, of which None cannot be read."""
    for number, article in enumerate(articles, 1):
        for at, paragraph in enumerate(article["paragraphs"] if _is_article(article) else [None], 1):
            named = {"title": article.get("title"), **paragraph} if isinstance(paragraph, dict) else None
            yield f"article {number}, paragraph {at}", named


_SQUAD = _Shape(
    "SQuAD JSON", "qas", {"title": "title", "context": "context"},
    {"id": "id", "question": "question", "answers": "answers"},
    {"template": "{context}\n{question}", "answer": "answers", "group": "title", "id": "id"},
)  # fmt: skip
_SHAPES = (
    _Shape(
        "DROP JSON", "qa_pairs", {"passage": "passage", "section_id": "section_id"},
        {"question": "question", "answer": "answer", "query_id": "query_id"},
        {"template": "{passage}\n{question}", "answer": "answer", "group": "section_id", "id": "query_id"},
        keyed="section_id",
    ),
    _Shape(
        "RACE passages", "questions", {"id": "example_id", "article": "article"},
        {"questions": "question", "options": "options", "answers": "answer"},
        {"template": "{article}\n{question}", "answer": "answer", "choices": "options", "group": "example_id"},
    ),
    _Shape(
        "DREAM JSON", "questions", {"id": "dialogue_id", "dialogue": "dialogue"},
        {"question": "question", "choice": "choice", "answer": "answer"},
        {"template": "{dialogue}\n{question}", "answer": "answer", "choices": "choice", "group": "dialogue_id"},
    ),
    _Shape(
        "ReCoRD passages", "qas", {"passage": "passage", "entities": "entities", "id": "passage_id"},
        {"query": "query", "answers": "answers", "id": "id"},
        {"template": "{passage}\n{query}", "answer": "answers", "choices": "entities", "group": "passage_id"},
    ),
    _Shape(
        "ProofWriter JSON", "questions", {"id": "theory_id", "theory": "theory"},
        {"id": "id", "question": "question", "answer": "answer", "QDep": "depth"},
        {"template": "{theory}\n{question}", "answer": "answer", "group": "theory_id", "id": "id"},
    ),
    _Shape(
        "RuleTaker JSON", "questions", {"id": "theory_id", "context": "context"},
        {"id": "id", "text": "question", "label": "label"},
        {"template": "{context}\n{question}", "answer": "label", "group": "theory_id", "id": "id"},
    ),
    # The last question of an example; those before it are shown with their answers, the same ones in many items.
    _Shape(
        "PrOntoQA JSON", "test_example", {"example": "id"},
        {"question": "question", "query": "query", "answer": "answer"},
        {"template": "{question}\n{query}", "answer": "answer", "id": "id"}, keyed="example",
    ),
)  # fmt: skip


def _shape_of(value: Any) -> _Shape | None:
    return next((shape for shape in _SHAPES if shape.holds(value)), None)


# PIQA, alpha-NLI, Social IQa and the first WinoGrande have `train-labels.lst` beside `train.jsonl`, one label per line.

_LABELLED = "items (JSONL) with labels beside them"
"""Not `JSONL`: its lines are not whole items, and cannot be copied as such."""
_LABEL = "label"
_GOLDS = ("label", "answer", "gold", "gold_label")
_LONGEST = 100
"""Characters of a label; a file with longer lines holds something else."""
_LARGEST_LIST = 2**28


def with_label_list(table: Table, path: Path) -> Table:
    """The table with the labels beside `path` as the column `label`: line for line.

    The table is returned as it is if it is no JSONL, has a gold already, or has no such file. Raises InputError if the
    file has another number of lines than the items.
    """
    beside = path.with_name(f"{bare_name(path)[0]}-labels.lst")  # of `train.jsonl` and of `train.jsonl.gz`
    text = text_beside(beside, _LARGEST_LIST)
    if (
        text is None
        or not table.format.startswith("JSONL")
        or not table.rows
        or any(name in table.columns for name in _GOLDS)
    ):
        return table
    labels = [line.strip() for line in text.split("\n")]
    while labels and not labels[-1]:
        labels.pop()
    if any(len(label) > _LONGEST for label in labels):
        return table
    numbers = [_line(row.place) for row in table.rows]
    last = max([*numbers, *(_line(entry.place) for entry in table.left_out)])
    if last > len(labels) or (last < len(labels) and table.sampled_from is None):
        raise InputError(
            f"{len(labels):,} labels for {last:,} lines of {path.name}: fetch both files again, or move this one away",
            str(beside),
        )
    rows = [Row(row.place, {**row.values, _LABEL: labels[number - 1]}) for row, number in zip(table.rows, numbers)]
    notes = (*table.notes, f"the labels are those of {beside.name}, line for line")
    return replace(table, format=_LABELLED, rows=rows, columns=[*table.columns, _LABEL], notes=notes)


def _line(place: str) -> int:
    """812 of `line 812`."""
    return int(place.removeprefix("line "))
