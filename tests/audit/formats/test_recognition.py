"""No ordinary file is taken for another project's: what ships here, and what third parties publish."""

from pathlib import Path

import pytest

from hansproof.audit.formats.content import Content, read
from hansproof.audit.reading.files import is_pointer, table_of

ROOT = Path(__file__).resolve().parents[3]
OURS = sorted((ROOT / "datasets").rglob("*.jsonl*"))
THEIRS = ROOT.parent / "shared" / "data" / "benchmarks"


@pytest.mark.parametrize("path", OURS[::7], ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_our_releases_stay_our_items(path):
    content = read(str(path))
    assert not is_pointer(content)
    assert table_of(content).format == "hansproof items"


@pytest.mark.parametrize(
    "text",
    [
        "doc_to_text,label\nWhat is it?,yes\nAnd that?,no\n",
        "task\tdataset_path\tlabel\na\tb\tyes\n",
        'question,label\n"doc_to_text: x\nsamples_jsonl: y",yes\n',
        '{"input": "samples_jsonl: x", "label": "a"}\n{"input": "dataset_path: y", "label": "b"}\n',
        '{"instance": {"input": "x"}, "references": [], "label": "a"}\n{"instance": {}, "label": "b"}\n',
        '[{"input": "x", "references": ["a", "b"], "label": "a"}, {"input": "y", "references": [], "label": "b"}]',
        '{"samples": [{"text": "x", "target": "a"}, {"text": "y", "target": "b"}], "eval": "accuracy"}',
        '{"doc": "x", "target": "a", "label": "b"}\n{"doc": "y", "target": "b", "label": "b"}\n',
        '{"input": "x", "target": "A", "choices": ["a", "b"], "level": 1}\n' * 2,
    ],
)
def test_an_ordinary_file_that_uses_the_same_words_is_not_taken_for_another_project(text):
    content = Content("x", text.encode(), "", ".csv" if text[0] not in "{[" else "")
    assert not is_pointer(content)
    assert table_of(content).format.split(",")[0] in ("CSV", "TSV", "JSONL", "JSON")


@pytest.mark.skipif(not THEIRS.is_dir(), reason="needs the third-party benchmarks")
def test_third_party_files_keep_their_formats():
    formats = {path.stem: table_of(read(str(path))).format for path in sorted(THEIRS.iterdir()) if path.is_file()}
    assert formats == {
        "abstract_narrative_9": "OpenAI evals samples (chat)",
        "babi_task_16": "OpenAI evals samples (chat)",
        "commonsense_qa_2": "CSV",
        "goal_step_inference": "OpenAI evals samples (chat)",
        "space_nli": "OpenAI evals samples (chat)",
    }
