"""Anyone's knights and knaves: golds of several lines are read by who is what, and counted by set and size."""

import json

import pytest

import hansproof

OTHER = {"jabba": "tette", "tette": "jabba"}
"""The terms of the paper's main setting."""


def solved(item, right):
    """A reply that is right, or wrong about the first character."""
    (first, term), *rest = (part.split(": ") for part in item.answer.split("; "))
    lines = [f"{first}: {term if right else OTHER[term]}", *(f"{name}: {is_}" for name, is_ in rest)]
    return "Suppose A lies.\n\n**CONCLUSION:**\n" + "\n".join(lines)


@pytest.fixture(scope="module")
def items():
    made = hansproof.generate("knights-knaves", subset=["set-S", "set-E"], count=144, seed=7)
    return [item for item in made if item.condition == "jabbas"]


def parts(report, by):
    return {line.name: (line.right.hits, line.right.total) for line in report.lines if line.by == by}


@pytest.mark.parametrize("mark", ["\n", "; "])
def test_golds_of_several_lines_are_scored_by_set_and_size(tmp_path, items, mark):
    rows = [
        {"id": item.id, "question": item.prompt, "answer": item.answer.replace("; ", mark), "set": item.metadata["set"],
         "size": item.metadata["n"]}
        for item in items
    ]  # fmt: skip
    replies = [{"id": item.id, "reply": solved(item, at % 2 == 0)} for at, item in enumerate(items)]
    for name, records in (("items", rows), ("replies", replies)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    files = str(tmp_path / "replies.jsonl"), str(tmp_path / "items.jsonl")
    (theirs,) = hansproof.score(files[0], items=files[1], item_columns={"subset": "set,size"})
    assert sum(line.unclear for line in theirs.lines) == 0
    cells = {}
    for at, item in enumerate(items):
        hits, total = cells.get(key := (item.metadata["set"], item.metadata["n"]), (0, 0))
        cells[key] = hits + (at % 2 == 0), total + 1
    assert parts(theirs, "subset") == {f"{of}, {size}": cell for (of, size), cell in cells.items()}
    (ours,) = hansproof.score(files[0], items=items)
    assert parts(ours, "subset, n") == {f"set-{of}, {size}": cell for (of, size), cell in cells.items()}
