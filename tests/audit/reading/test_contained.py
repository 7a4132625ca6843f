"""A dataset folder reads its own files, and nothing else of this machine or the network."""

import json
import socket

import pytest
from datasets import Dataset, DatasetDict

from hansproof.audit.reading.loading import expand, load
from hansproof.generators.errors import InputError

RECORDS = [{"text": f"item number {n}", "label": ("yes", "no")[n % 2]} for n in range(40)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was opened"))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("a name was looked up"))
    inner = tmp_path / "hub"
    (inner / "data").mkdir(parents=True)
    return inner


@pytest.mark.parametrize("path", ["../secret.jsonl", "/etc/passwd", "http://127.0.0.1:9/x.jsonl", "*a9"])
def test_whatever_a_card_names_the_shards_of_the_folder_are_read(folder, path):
    for part in range(2):
        shard = folder / "data" / f"test-0000{part}-of-00002.parquet"
        Dataset.from_list(RECORDS[part * 20 : part * 20 + 20]).to_parquet(shard)
    (folder / "README.md").write_text(f"---\nconfigs:\n- config_name: default\n  data_files: {path}\n---\n")
    (folder / ".huggingface.yaml").write_text(f"configs: [{{data_dir: {path}}}]\n")
    benchmark = load(folder)
    assert (benchmark.splits, benchmark.prompts[39]) == (["test"] * 40, "item number 39")


def test_whatever_a_saved_dataset_names_its_own_files_are_read(folder):
    DatasetDict({"test": Dataset.from_list(RECORDS)}).save_to_disk(folder)
    state = folder / "test" / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | {"_data_files": [{"filename": "../../secret.arrow"}]}))
    (folder / "dataset_dict.json").write_text('{"splits": ["../elsewhere"]}')
    (folder / "test" / "cache-1.arrow").write_bytes(b"what a map left")
    assert load(folder).splits == ["test"] * 40


def test_a_damaged_file_of_a_dataset_folder_is_one_line(folder):
    (folder / "data" / "test-00000-of-00001.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="hub: cannot be loaded as a dataset folder: "):
        load(folder)


def test_a_folder_of_tables_with_a_card_is_a_folder_of_benchmarks(folder):
    (folder / "README.md").write_text("---\nconfigs:\n- config_name: default\n---\n")
    for name in ("train.csv", "test.csv"):
        (folder / name).write_text("text,label\na,b\n")
    assert len(expand(str(folder))) == 2
