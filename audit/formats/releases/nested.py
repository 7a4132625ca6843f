"""Questions nested in what they are about: a passage with its questions becomes one row per question.

Each shape is told by its keys, never by the name of the file. A passage is repeated in the row of each of its
questions, and its name becomes a column, so that the questions of one passage can be kept together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from audit.benchmark import LeftOut
from audit.formats.table import Row, Table

__all__ = ["from_document", "from_rows", "is_passage"]

_UNANSWERABLE = "unanswerable"
_ON_PURPOSE = f"{{count:,}} questions have no answer on purpose; their gold is {_UNANSWERABLE!r}"
_LOOKED_AT = 5
_UNREADABLE = "a passage whose questions cannot be read"

_Record = dict[str, Any]


@dataclass(frozen=True)
class _Shape:
    """One way of nesting questions."""

    format: str
    holds: Callable[[_Record], bool]
    """Whether an object is one passage of this shape."""
    questions: Callable[[_Record], Iterator[_Record]]
    """The rows of one passage. Raises KeyError, TypeError, ValueError or AttributeError for one that is broken."""
    roles: tuple[tuple[str, str], ...]
    keyed: str | None = None
    """The column for the key of each passage, where a document is an object of passages by name."""


def is_passage(value: Any) -> bool:
    """True for an object that is one passage with its questions."""
    return _shape_of(value) is not None


def from_rows(table: Table) -> Table:
    """One row per question where the first rows are passages of one shape; else the table as it is."""
    first = table.rows[:_LOOKED_AT]
    shape = _shape_of(first[0].values) if first else None
    if shape is None or not all(shape.holds(row.values) for row in first):
        return table
    return _unfolded(shape, [(row.place, row.values) for row in table.rows], table.left_out)


def from_document(value: Any) -> Table | None:
    """The questions of a JSON document: SQuAD's articles, or passages by name; None for any other."""
    if not isinstance(value, dict):
        return None
    articles = value.get("data")
    if isinstance(articles, list) and articles and all(_is_article(article) for article in articles[:_LOOKED_AT]):
        return _unfolded(_SQUAD, [(f"article {number}", article) for number, article in enumerate(articles, 1)])
    if (shape := _shape_of(value)) is not None:
        return _unfolded(shape, [("row 1", value)])
    members = list(value.items())[:_LOOKED_AT]
    shape = _shape_of(members[0][1]) if members else None
    if shape is None or shape.keyed is None or not all(_holds(shape, member) for _, member in members):
        return None
    named = [
        (str(key), {shape.keyed: str(key), **member} if isinstance(member, dict) else member)
        for key, member in value.items()
    ]
    return _unfolded(shape, named)


def _unfolded(shape: _Shape, passages: list[tuple[str, Any]], left_out: tuple[LeftOut, ...] = ()) -> Table:
    """The rows of all passages; a passage that cannot be read is left out and listed."""
    rows: list[Row] = []
    unread = list(left_out)
    for place, passage in passages:
        try:
            made = list(shape.questions(passage))
        except (KeyError, TypeError, ValueError, AttributeError):
            unread.append(LeftOut(place, _UNREADABLE))
            continue
        rows += [Row(f"{place}, question {number}", values) for number, values in enumerate(made, 1)]
    without = sum(row.values.get("answers") == _UNANSWERABLE for row in rows)
    notes = (_ON_PURPOSE.format(count=without),) if without else ()
    return Table.of(shape.format, rows, unread, defaults=shape.roles, notes=notes, for_any=False)


def _is_article(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("paragraphs"), list)


def _squad(article: _Record) -> Iterator[_Record]:
    """An article of SQuAD 1.1 or 2.0. A question that has no answer on purpose has the gold `unanswerable`."""
    for paragraph in article["paragraphs"]:
        for asked in paragraph["qas"]:
            answers = {"text": [answer["text"] for answer in asked.get("answers") or []]}
            yield {
                "id": asked["id"],
                "title": article.get("title"),
                "context": paragraph["context"],
                "question": asked["question"],
                "answers": _UNANSWERABLE if asked.get("is_impossible") is True else answers,
            }


def _drop(passage: _Record) -> Iterator[_Record]:
    for asked in passage["qa_pairs"]:
        named = {"section_id": passage["section_id"]} if "section_id" in passage else {}
        yield {
            "passage": passage["passage"], "question": asked["question"], "answer": asked["answer"], **named,
            "query_id": asked.get("query_id"),
        }  # fmt: skip


def _race(passage: _Record) -> Iterator[_Record]:
    columns = passage["questions"], passage["options"], passage["answers"]
    for question, options, answer in zip(*columns, strict=True):
        yield {
            "example_id": passage.get("id"), "article": passage["article"], "question": question, "options": options,
            "answer": answer,
        }  # fmt: skip


def _proof_writer(theory: _Record) -> Iterator[_Record]:
    for name, asked in theory["questions"].items():
        yield {
            "theory_id": theory.get("id"), "id": f"{theory.get('id')}-{name}", "theory": theory["theory"],
            "question": asked["question"], "answer": asked["answer"], "depth": asked.get("QDep"),
        }  # fmt: skip


def _rule_taker(theory: _Record) -> Iterator[_Record]:
    for asked in theory["questions"]:
        yield {
            "theory_id": theory.get("id"), "id": asked.get("id"), "context": theory["context"],
            "question": asked["text"], "label": asked["label"],
        }  # fmt: skip


def _pronto_qa(example: _Record) -> Iterator[_Record]:
    """The last question of an example; those before it are shown with their answers, the same ones in many items."""
    asked = example["test_example"]
    yield {"id": example.get("example"), "question": asked["question"], "query": asked["query"],
           "answer": asked["answer"]}  # fmt: skip


def _has_list(*keys: str) -> Callable[[_Record], bool]:
    return lambda value: all(isinstance(value.get(key), list) for key in keys)


def _is_rule_taker(value: _Record) -> bool:
    asked = value.get("questions")
    first = asked[0] if isinstance(asked, list) and asked else None
    return isinstance(value.get("context"), str) and isinstance(first, dict) and {"text", "label"} <= first.keys()


def _is_proof_writer(value: _Record) -> bool:
    asked = value.get("questions")
    first = next(iter(asked.values()), None) if isinstance(asked, dict) else None
    return isinstance(value.get("theory"), str) and isinstance(first, dict) and {"question", "answer"} <= first.keys()


def _is_pronto_qa(value: _Record) -> bool:
    asked = value.get("test_example")
    return isinstance(asked, dict) and {"question", "query", "answer"} <= asked.keys()


_SQUAD = _Shape(
    "SQuAD JSON", _is_article, _squad,
    (("template", "{context}\n{question}"), ("answer", "answers"), ("group", "title"), ("id", "id")),
)  # fmt: skip
_SHAPES = (
    _Shape(
        "DROP JSON", lambda value: isinstance(value.get("passage"), str) and _has_list("qa_pairs")(value), _drop,
        (("template", "{passage}\n{question}"), ("answer", "answer"), ("group", "section_id"), ("id", "query_id")),
        "section_id",
    ),
    _Shape(
        "RACE passages",
        lambda value: isinstance(value.get("article"), str) and _has_list("questions", "options", "answers")(value),
        _race,
        (
            ("template", "{article}\n{question}"), ("answer", "answer"), ("choices", "options"),
            ("group", "example_id"),
        ),
    ),
    _Shape(
        "ProofWriter JSON", _is_proof_writer, _proof_writer,
        (("template", "{theory}\n{question}"), ("answer", "answer"), ("group", "theory_id"), ("id", "id")),
    ),
    _Shape(
        "RuleTaker JSON", _is_rule_taker, _rule_taker,
        (("template", "{context}\n{question}"), ("answer", "label"), ("group", "theory_id"), ("id", "id")),
    ),
    _Shape(
        "PrOntoQA JSON", _is_pronto_qa, _pronto_qa,
        (("template", "{question}\n{query}"), ("answer", "answer"), ("id", "id")), "example",
    ),
)  # fmt: skip


def _holds(shape: _Shape, value: Any) -> bool:
    return isinstance(value, dict) and shape.holds(value)


def _shape_of(value: Any) -> _Shape | None:
    return next((shape for shape in _SHAPES if _holds(shape, value)), None)
