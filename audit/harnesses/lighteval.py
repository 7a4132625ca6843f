"""lighteval: `details/MODEL/DATE/details_TASK_DATE.parquet`.

0.13.0 writes `doc`, `model_response` and `metric` as nested objects. 0.9.2 and 0.10.0 write flat rows with `example`,
`full_prompt`, `predictions`, `gold`, `choices`, `gold_index` and `metrics`, and 0.5.0 the same, each as the text that
Python's `str` makes of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hansproof.audit.formats.json_rows import Entry
from hansproof.audit.formats.table import as_name
from hansproof.audit.harnesses.log_shape import inner, json_beside, typed
from hansproof.audit.harnesses.log_values import as_golds, as_label, as_options, likeliest, ordered_marks, verdict
from hansproof.audit.harnesses.reply import Reply, as_asked, run_of_sample

__all__ = ["replies_of_details"]

_NAME = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+)\Z")
_LONGEST = 2**20
"""Characters of a value that is written in Python."""


def replies_of_details(entries: Iterable[Entry], path: str) -> Iterator[Reply]:
    """The replies to each document, of which several samples are so many runs, or the likeliest choice where choices
    are compared. The verdict is that of the first metric that says right or wrong."""
    named = _NAME.match(Path(path).name.partition(".parquet")[0])
    task, date = (named["task"], named["date"]) if named else ("", "")
    asked, every = _documents(Path(path), task, date)
    about = [f"{path}: the run was to ask {asked:,} of the {every:,} documents of its task (max_samples)"]
    model = _model(Path(path))
    for number, place, row in entries:
        query, choices, index, golds, said, logs, marks = _flat(row) if "example" in row else _nested(row)
        places = index if isinstance(index, list) else [index]
        right = [choices[each] for each in places if type(each) is int and 0 <= each < len(choices)]
        golds = [text.strip() if isinstance(text, str) else text for text in right] or golds
        # A task without options lists its references as choices, all of which are right.
        options = as_options(choices) if len(right) < len(choices) else ()
        likely = not said and len(logs) == len(choices) > 1
        if likely:
            said = [likeliest(logs, None, [str(choice).strip() for choice in choices])]
        # A mark of several samples is the verdict of none.
        metrics = [mark for mark in ordered_marks(marks) if len(said) < 2 or verdict(mark)["undecided"]]
        for sample, text in enumerate(said or [None], 1):
            yield Reply(
                place=place,
                line=number,
                reply=text if isinstance(text, str) else None,
                id=as_name(inner(row, "doc", "id")) or str(number - 1),
                prompt=as_asked(query),
                model=model,
                run=run_of_sample("", sample),
                log=date,
                benchmark=_benchmark(task or as_name(inner(row, "doc", "task_name")) or ""),
                harness="lighteval",
                likeliest=likely,
                golds=as_golds(golds),
                choices=options,
                **verdict(*metrics),
                about=about if asked < every else (),
                partial=asked < every,
            )


_Read = tuple[Any, list[Any], Any, Any, list[Any], list[Any], dict[str, Any]]
"""The query, the choices, the places of the right ones, and the golds where they are written otherwise; the replies,
the log probabilities of the choices, and the metrics."""


def _nested(row: dict[str, Any]) -> _Read:
    doc, response = row.get("doc"), row.get("model_response")
    # Metrics are of what is left once the reasoning is cut off, where it is.
    said = typed(list, response, "text_post_processed") or typed(list, response, "text")
    logs, marks = typed(list, response, "logprobs"), typed(dict, row, "metric")
    return inner(doc, "query"), typed(list, doc, "choices"), inner(doc, "gold_index"), None, said, logs, marks


def _flat(row: dict[str, Any]) -> _Read:
    read = {key: _written(row.get(key)) for key in ("choices", "gold_index", "gold", "predictions", "metrics")}
    # A text that holds a bare number or the like is a reply itself.
    given = read["predictions"] if isinstance(read["predictions"], list) else [row.get("predictions")]
    # A prediction may have its logits behind it, and a log probability whether the text is the greedy one.
    said = [each[0] if isinstance(each, list | tuple) and each else each for each in given]
    logs = said if all(isinstance(number, float) for number in said) else []
    choices, marks = typed(list, read["choices"]), typed(dict, read["metrics"])
    return row.get("example"), choices, read["gold_index"], read["gold"], [] if logs else said, logs, marks


def _written(value: Any) -> Any:
    """A value, or what a text is in Python: a list, a number, an object. Any other text is itself."""
    if not isinstance(value, str) or len(value) > _LONGEST or value[:1] not in "[{(-0123456789":
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return value


def _benchmark(task: str) -> str:
    """The task without its suite and its number of examples: `mmlu:anatomy` of `leaderboard|mmlu:anatomy|5`."""
    parts = [part for part in task.split("|") if part and not part.isdecimal()]
    return as_label(parts[-1] if parts else task)


def _model(path: Path) -> str:
    """The model by the folders: `details/ORG/NAME/DATE`, or `details_ORG__NAME/DATE` of a copy of the Hub's."""
    folders = path.absolute().parent.parts[:-1]
    for place in range(len(folders) - 1, -1, -1):
        if folders[place] == "details":
            return as_label("/".join(folders[place + 1 :]))
        if folders[place].startswith("details_"):
            name = folders[place].removeprefix("details_").removesuffix("_private")
            return as_label(name.replace("__", "/", 1))
    return ""


def _documents(path: Path, task: str, date: str) -> tuple[int, int]:
    """How many documents of the task the run was to ask, and how many there are, by `results/MODEL/results_DATE.json`;
    0, 0 where it is not there, or does not say."""
    folders = list(path.absolute().parts)
    if "details" not in folders:
        return 0, 0
    at = len(folders) - 1 - folders[::-1].index("details")
    beside = Path(*folders[:at], "results", *folders[at + 1 : -2], f"results_{date}.json")
    counts = typed(dict, json_beside(beside), "config_tasks", task)
    asked, every = (typed(int, counts, f"{which}_num_docs") for which in ("effective", "original"))
    return (asked, every) if asked > 0 else (0, 0)
