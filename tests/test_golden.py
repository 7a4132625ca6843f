"""What a person sees, to the letter: every document is made as the golden one is (`tests/golden/documents.py`).

Where a change of words is meant, `python tests/golden/documents.py --write` makes the golden files anew.
"""

import difflib
import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parent / "golden/documents.py"


def _documents():
    spec = importlib.util.spec_from_file_location("golden_documents", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


documents = _documents()


@pytest.mark.parametrize("name", documents.DOCUMENTS)
def test_a_document_says_what_it_said(name):
    made = dict(documents.made([name]))
    golden = {path.name: path.read_text(encoding="utf-8") for path in documents.GOLDEN.glob(f"{name}.*")}
    differences = [
        line
        for file in sorted(made | golden)
        if made.get(file) != golden.get(file)
        for line in _difference(file, golden.get(file, ""), made.get(file, ""))
    ]
    assert not differences, "\n".join(
        [*differences[:200], "", "meant? python tests/golden/documents.py --write " + name]
    )


def test_every_golden_file_belongs_to_a_document():
    kept = {path.name.split(".")[0] for path in documents.GOLDEN.iterdir()}
    assert kept == set(documents.DOCUMENTS)


def _difference(file, golden, made):
    lines = golden.splitlines(), made.splitlines()
    return difflib.unified_diff(*lines, f"golden {file}", f"{file} made now", lineterm="", n=2)
