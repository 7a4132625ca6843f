"""A dataset folder reads its own files, and nothing else of this machine or the network."""

import json
import socket

import pytest
from datasets import Dataset, DatasetDict

from hansproof.audit.reading.hub import check_contained
from hansproof.audit.reading.loading import load
from hansproof.generators.errors import InputError

RECORDS = [{"text": f"item number {n}", "label": ("yes", "no")[n % 2]} for n in range(40)]
LINES = "".join(json.dumps(record) + "\n" for record in RECORDS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was opened"))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("a name was looked up"))
    (tmp_path / "secret.jsonl").write_text(LINES)
    inner = tmp_path / "hub"
    (inner / "rows").mkdir(parents=True)
    (inner / "rows" / "own.jsonl").write_text(LINES)
    return inner


def card(path):
    return f"---\nconfigs:\n- config_name: default\n  data_files:\n  - split: test\n    path: {json.dumps(path)}\n---\n"


def test_a_card_that_names_the_folders_own_files_is_followed(folder):
    (folder / "README.md").write_text(card("rows/*.jsonl"))
    assert load(folder).splits == ["test"] * 40


@pytest.mark.parametrize("path", [
    "../secret.jsonl", "rows/../../secret.jsonl", "{folder}/../secret.jsonl", "~/secret.jsonl", "C:\\secret.jsonl",
    "http://127.0.0.1:9/x.jsonl", "https://example.org/x.jsonl", "hf://datasets/org/name/x.jsonl", "file:///etc/passwd",
    "zip://x.jsonl::http://127.0.0.1:9/x.zip", "zip::rows/own.jsonl", "\\\\server\\share\\x.jsonl",
    ["rows/own.jsonl", "../x"],
])  # fmt: skip
def test_a_card_that_names_anything_outside_is_refused(folder, path):
    path = path.format(folder=folder) if isinstance(path, str) else path
    (folder / "README.md").write_text(card(path))
    with pytest.raises(InputError, match=r"hub/README\.md: names '.*', which is outside this folder"):
        load(folder)


@pytest.mark.parametrize(
    "line", ["data_dir: ../..", "storage_options: {proxy: 'http://127.0.0.1:9'}", "data_files: /etc/passwd"]
)
def test_no_other_key_of_a_configuration_leads_outside(folder, line):
    (folder / "README.md").write_text(f"---\nconfigs:\n- config_name: default\n  {line}\n---\n")
    with pytest.raises(InputError, match="which is outside this folder"):
        load(folder)
    (folder / "README.md").write_text(card("rows/own.jsonl"))
    (folder / ".huggingface.yaml").write_text(f"configs:\n- config_name: default\n  {line}\n")
    with pytest.raises(InputError, match=r"\.huggingface\.yaml: names .* outside this folder"):
        load(folder)


def test_a_few_lines_that_stand_for_billions_of_values_are_refused(folder):
    lines = ["a0: &a0 [" + ",".join(["x"] * 10) + "]"]
    lines += [f"a{n}: &a{n} [" + ",".join([f"*a{n - 1}"] * 10) + "]" for n in range(1, 10)]
    (folder / "README.md").write_text(
        "---\n" + "\n".join(lines) + "\nconfigs: [{config_name: d, data_files: *a9}]\n---\n"
    )
    with pytest.raises(InputError, match="its YAML stands for more than 100,000 values"):
        load(folder)
    (folder / "README.md").write_text("---\na: &a [*a]\nconfigs: *a\n---\n")
    with pytest.raises(InputError, match=r"broken YAML|stands for more than"):
        load(folder)


def test_a_saved_dataset_names_its_own_files_only(folder):
    DatasetDict({"test": Dataset.from_list(RECORDS)}).save_to_disk(folder / "saved")
    check_contained(folder / "saved", "saved")
    state = folder / "saved" / "test" / "state.json"
    forged = json.loads(state.read_text()) | {"_data_files": [{"filename": "../../../secret.arrow"}]}
    state.write_text(json.dumps(forged))
    with pytest.raises(InputError, match=r"saved/test/state\.json: names '\.\./\.\./\.\./secret\.arrow'"):
        load(folder / "saved")
    (folder / "saved" / "dataset_dict.json").write_text('{"splits": ["../elsewhere"]}')
    with pytest.raises(InputError, match=r"dataset_dict\.json: names '\.\./elsewhere'"):
        load(folder / "saved")


def test_a_link_leads_inside_the_folder_or_to_the_blobs_of_the_hubs_cache(folder, tmp_path):
    (folder / "README.md").write_text(card("rows/*.jsonl"))
    (folder / "rows" / "again.jsonl").symlink_to("own.jsonl")
    check_contained(folder, "hub")
    snapshot = tmp_path / "datasets--org--name" / "snapshots" / "0123"
    snapshot.mkdir(parents=True)
    (tmp_path / "datasets--org--name" / "blobs").mkdir()
    (snapshot / "x.jsonl").symlink_to("../../blobs/abc")
    check_contained(snapshot, "snapshot")
    (folder / "rows" / "out.jsonl").symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(InputError, match=r"hub/rows/out\.jsonl: is a link out of this folder"):
        load(folder)
