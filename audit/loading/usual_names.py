"""The names that columns usually have, and what is guessed from them; `roles` says which guesses count."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from audit.loading.cells import UnusableError, as_answer, as_name, as_prompt
from audit.loading.table import MISSING, Table, cell

__all__ = [
    "Names",
    "guess_answer",
    "guess_choices",
    "guess_group",
    "guess_id",
    "guess_prompt",
    "guess_split",
]

_PAIRS = (
    ("premise", "hypothesis"), ("sentence1", "sentence2"), ("sentence_1", "sentence_2"),
    ("text1", "text2"), ("question1", "question2"), ("context", "question"), ("passage", "question"),
    ("paragraph", "question"), ("article", "question"), ("document", "question"), ("story", "question"),
    ("contract", "question"), ("background", "question"), ("facts", "question"), ("text", "question"),
    ("text", "hypothesis"), ("sentence", "question"), ("context", "query"), ("passage", "query"),
    ("context", "hypothesis"), ("evidence", "claim"), ("premise", "conclusion"), ("premises", "conclusion"),
)  # fmt: skip
_PROMPTS = (
    "prompt", "question", "text", "input", "inputs", "sentence", "query", "problem", "statement", "claim",
    "instruction", "scenario", "story", "passage", "context", "goal", "question_text", "input_text", "body",
    "content", "messages", "conversation", "task", "vignette", "item",
)  # fmt: skip
_ANSWERS = (
    "answer", "label", "gold", "target", "ideal", "expected", "output", "class", "answerkey", "gold_label",
    "answer_key", "correct_answer", "gold_answer", "correct", "ground_truth", "truth", "labels", "answers",
    "targets", "category", "relation", "judgment", "judgement", "verdict", "answer_idx", "correct_option",
    "expected_answer", "expected_output", "label_text", "solution", "completion", "y",
)  # fmt: skip
_GROUPS = ("group", "group_id", "template_id", "pair_id", "story_id", "cluster_id", "problem_id")
_IDS = (
    "id", "idx", "uid", "item_id", "example_id", "sample_id", "question_id", "qid", "guid", "uuid", "index",
)  # fmt: skip
_CHOICES = (
    "choices", "options", "endings", "answer_choices", "target_scores", "mc1_targets", "mc2_targets",
    "candidates", "alternatives",
)  # fmt: skip
_LISTED_CHOICES = (
    ("choice1", "choice2", "choice3", "choice4", "choice5"),
    ("option1", "option2", "option3", "option4", "option5"),
    ("ending0", "ending1", "ending2", "ending3"), ("answera", "answerb", "answerc", "answerd"),
    ("option_a", "option_b", "option_c", "option_d", "option_e"), ("opa", "opb", "opc", "opd"),
    ("sol1", "sol2"), ("hyp1", "hyp2"), ("hypothesis_1", "hypothesis_2"), ("a", "b", "c", "d", "e"),
)  # fmt: skip
_SAMPLE = 50


class Names:
    """The table's columns under folded names, and a look at the first values of each."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.folded: dict[str, str] = {}
        for column in table.columns:
            key = column.strip().casefold().replace("-", "_").replace(" ", "_")
            if key not in self.folded or column == key:
                self.folded[key] = column

    def first(self, names: tuple[str, ...], test: Callable[[Any], bool] | None = None) -> str | None:
        """The first of `names` that is a column, and whose values pass `test` where there is one."""
        for name in names:
            column = self.folded.get(name)
            if column is not None and (test is None or self.passes(column, test)):
                return column
        return None

    def passes(self, column: str, test: Callable[[Any], bool]) -> bool:
        """True where some value of the first rows passes: a faulty row must not hide its column."""
        values = (cell(row.values, column) for row in islice(self.table.rows, _SAMPLE))
        return any(test(value) for value in values if value is not None and value is not MISSING)


def _is_text(value: Any) -> bool:
    try:
        return bool(as_prompt(value))
    except UnusableError:
        return False


def _is_label(value: Any) -> bool:
    try:
        return bool(as_answer(value)[0])
    except UnusableError:
        return False


def guess_answer(known: Names) -> str | None:
    """The first usual name whose values are labels."""
    return known.first(_ANSWERS, _is_label)


def guess_split(known: Names) -> str | None:
    """A column that says so itself; no other name is unmistakable."""
    return known.first(("split",))


def guess_prompt(known: Names, answer: str | None) -> str | None:
    """`prompt`, else a known pair as a template, else a usual name, else the only other column of text."""
    if (column := known.first(("prompt",), _is_text)) is not None:
        return column
    for pair in _PAIRS:
        found = [known.first((one,), _is_text) for one in pair]
        if None not in found and answer not in found:
            return "\n".join(f"{{{one}}}" for one in found)
    others = tuple(one for one in _PROMPTS if known.folded.get(one) != answer)
    if (column := known.first(others, _is_text)) is not None:
        return column
    rest = [one for one in known.table.columns if one != answer]
    return rest[0] if len(rest) == 1 and known.passes(rest[0], _is_text) else None


def guess_group(known: Names) -> str | None:
    """A column of an unmistakable name that does group: some values repeat, and not all are one."""
    for name in _GROUPS:
        column = known.folded.get(name)
        if column is None:
            continue
        values = [as_name(cell(row.values, column)) for row in known.table.rows]
        present = [one for one in values if one is not None]
        if 1 < len(set(present)) < len(present) and 2 * len(present) > len(values):
            return column
    return None


def guess_id(known: Names, group: str | None) -> str | None:
    """A usual name whose values are all present and all different."""
    for name in _IDS:
        column = known.folded.get(name)
        if column is None or column == group:
            continue
        values = [as_name(cell(row.values, column)) for row in known.table.rows]
        if None not in values and len(set(values)) == len(values):
            return column
    return None


def guess_choices(known: Names, answer: str) -> tuple[str, ...]:
    """The column of options, or the columns of one option each."""
    column = known.first(_CHOICES)
    if column is not None and column != answer:
        return (column,)
    for names in _LISTED_CHOICES:
        found = tuple(known.folded[one] for one in names if one in known.folded)
        if len(found) >= 2 and answer not in found:
            return found
    return ()
