"""YAML that points to data: tasks of lm-evaluation-harness and registries of OpenAI evals."""

import json
import socket

import pytest

from hansproof.audit.reading.loading import load
from hansproof.generators.errors import InputError

N = 40
DOCS = [{"q": f"item {n}", "opts": ["yes", "no"], "gold": n % 2} for n in range(N)]
TASK = {
    "task": "evens",
    "dataset_path": "json",
    "dataset_kwargs": {"data_files": {"test": "rows/docs.jsonl"}},
    "test_split": "test",
    "doc_to_text": "Q: {{q}}\nA:",
    "doc_to_choice": "opts",
    "doc_to_target": "gold",
}


def folder(tmp_path, **changes):
    (tmp_path / "rows").mkdir(exist_ok=True)
    (tmp_path / "rows" / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in DOCS))
    path = tmp_path / "evens.yaml"
    task = {key: value for key, value in (TASK | changes).items() if value is not None}
    path.write_text("\n".join(f"{key}: {json.dumps(value)}" for key, value in task.items()) + "\n")
    return path


def test_a_task_gives_its_documents_as_it_asks_them(tmp_path):
    benchmark = load(folder(tmp_path))
    assert benchmark.prompts == [f"Q: item {n}\nA:" for n in range(N)]
    assert benchmark.answers == [("yes", "no")[n % 2] for n in range(N)]
    assert benchmark.choices == [["yes", "no"]] * N
    assert (benchmark.name, benchmark.mapping.format) == ("evens", "lm-evaluation-harness task")


def test_choices_and_targets_may_be_templates_and_constants(tmp_path):
    path = folder(tmp_path, doc_to_choice=["aye", "nay"], doc_to_target="{{opts[gold]}}")
    assert load(path).answers[:2] == ["yes", "no"]
    assert load(folder(tmp_path, doc_to_choice=["aye", "nay"], doc_to_target="gold")).answers[:2] == ["aye", "nay"]
    assert load(folder(tmp_path, doc_to_choice=None, doc_to_target="gold")).answers[:2] == ["0", "1"]


def test_an_included_file_gives_what_the_task_does_not_say(tmp_path):
    folder(tmp_path)
    (tmp_path / "evens.yaml").rename(tmp_path / "_base")
    path = tmp_path / "other.yaml"
    path.write_text('include: _base\ntask: other\ndoc_to_text: "{{q}}?"\n')
    assert load(path).prompts[0] == "item 0?"
    path.write_text("include: _base\ntask: other\ndescription: all else is included\n")
    assert load(path).prompts[0] == "Q: item 0\nA:"
    (tmp_path / "_asked").write_text('doc_to_text: "Is it {{q}}?"\n')
    path.write_text("include: [_base, _asked]\ntask: other\n")
    assert load(path).prompts[0] == "Is it item 0?"
    (tmp_path / "_base").write_text("include: [_asked, _base]\n")
    with pytest.raises(InputError, match="the file '_base' is included more than once"):
        load(path)


def test_a_task_is_recognised_without_its_ending(tmp_path):
    path = folder(tmp_path)
    assert load(path.rename(tmp_path / "task_template")).name == "evens (task_template)"


def test_data_on_the_hub_keep_their_label_numbers(tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets")
    features = datasets.Features(
        {"q": datasets.Value("string"), "label": datasets.ClassLabel(names=["entailment", "contradiction"])}
    )
    made = datasets.Dataset.from_dict({"q": [doc["q"] for doc in DOCS], "label": [n % 2 for n in range(N)]}, features)
    asked = []
    monkeypatch.setattr(
        "hansproof.audit.reading.hub.hub_dataset", lambda address, fetch: asked.append((address, fetch)) or made
    )
    path = folder(
        tmp_path, dataset_path="org/name", dataset_name="sub", dataset_kwargs=None, test_split=None,
        validation_split="dev", doc_to_choice=["True", "False"], doc_to_target="label",
    )  # fmt: skip
    assert load(path).answers[:2] == ["True", "False"]
    assert asked == [("hf://org/name:sub@dev", False)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dataset_kwargs": {"data_files": {"train": "x"}}}, "data_files has no split 'test'; it has 'train'"),
        ({"dataset_kwargs": {"data_files": "../docs.jsonl"}}, "not in the folder of the task"),
        ({"dataset_kwargs": {"data_files": "/etc/passwd"}}, "not in the folder of the task"),
        ({"dataset_kwargs": {"data_files": "https://example.org/x.jsonl"}}, "is remote: download it"),
        ({"dataset_kwargs": {"data_files": "none.jsonl"}}, "none.jsonl: no such file"),
        ({"dataset_kwargs": {"data_files": []}}, "names no file"),
        ({"doc_to_text": "{{nothing}}"}, r"fit no document: .*nothing.*\. Fields: 'q', 'opts', 'gold'"),
        ({"doc_to_text": None}, "a task without doc_to_text"),
        ({"include": "/etc/x.yaml"}, "not by a path relative to the task"),
        ({"include": "https://example.org/x.yaml"}, "not by a path relative to the task"),
        ({"include": "none.yaml"}, "the included file 'none.yaml' cannot be read"),
    ],
)
def test_what_a_task_cannot_give_is_one_clear_line(tmp_path, changes, message):
    with pytest.raises(InputError, match=message):
        load(folder(tmp_path, **changes))


def test_python_in_a_task_is_named_and_never_run(tmp_path):
    path = folder(tmp_path, doc_to_text=None, dataset_path="org/name", dataset_kwargs=None)
    path.write_text(path.read_text() + "doc_to_text: !function utils.doc_to_text\n")
    with pytest.raises(
        InputError, match=r"Python code \(!function utils.doc_to_text\), which is never run: .*hf://org/name@test"
    ):
        load(path)
    path = folder(tmp_path, dataset_path=None)
    path.write_text(path.read_text() + "class: !function task.Own\n")
    with pytest.raises(InputError, match=r"Python code \(!function task.Own\), which is never run"):
        load(path)
    path = folder(tmp_path)
    path.write_text(path.read_text() + "process_docs: !function utils.process_docs\n")
    assert any("process_docs" in note for note in load(path).notes)
    path.write_text("task: !!python/object/apply:os.system ['touch pwned']\ndataset_path: x\n")
    with pytest.raises(InputError, match="a task without doc_to_text"):
        load(path)
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "broken YAML"),
        ("a: 1\nb: 2\n", "neither a task .* nor an entry"),
        ("- x\n- y\n", "neither a task .* nor an entry"),
        ("group: all\ntask:\n  - x\n", "a group of lm-evaluation-harness tasks"),
        ("a: &a [x]\n" + "".join(f"b{n}: &b{n} {{<<: [*a{n}, *a{n}]}}\n" for n in range(3)), "broken YAML"),
        ("[" * 5000, "broken YAML"),
        ("x: " + "9" * 5000, "broken YAML"),
        ("x: " + "y" * 2**20, "YAML of more than"),
    ],
)
def test_yaml_that_is_neither_is_refused_in_one_line(tmp_path, text, message):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        load(path)
    assert "\n" not in str(caught.value)


def test_merge_keys_are_not_multiplied(tmp_path):
    layers = "".join(f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 9)}]}}\n" for n in range(1, 12))
    path = tmp_path / "x.yaml"
    path.write_text("m0: &m0 {a: 1, b: 2}\n" + layers)  # obeyed, they would make 2 * 9**11 pairs
    with pytest.raises(InputError, match="neither a task"):
        load(path)


def registry(tmp_path, **evals):
    data = tmp_path / "registry" / "data" / "evens"
    data.mkdir(parents=True)
    rows = [{"input": doc["q"], "ideal": ("yes", "no")[doc["gold"]]} for doc in DOCS]
    (data / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = tmp_path / "registry" / "evals" / "evens.yaml"
    path.parent.mkdir()
    path.write_text(json.dumps(evals))
    return path


def test_an_eval_of_a_registry_gives_its_samples(tmp_path):
    arguments = {"samples_jsonl": "evens/samples.jsonl", "few_shot_jsonl": "evens/few.jsonl"}
    first = {"class": "evals.elsuite.basic.match:Match", "args": {"samples_jsonl": "evens/samples.jsonl"}}
    path = registry(tmp_path, evens={"id": "evens.test"}, **{"evens.test": first, "few.test": {"args": arguments}})
    benchmark = load(path)
    assert (benchmark.prompts[1], benchmark.answers[1], len(benchmark.prompts)) == ("item 1", "no", N)
    assert benchmark.mapping.format == "OpenAI evals samples (text)"


def test_evals_over_data_sets_of_the_hub_name_them(tmp_path):
    path = tmp_path / "mmlu.yaml"
    entry = "{name}.val:\n  class: x:MultipleChoice\n  args:\n    dataset: hf://tests?name={name}&split=validation\n"
    path.write_text("".join(entry.format(name=name) for name in ("law", "art", "law2", "art2")))
    with pytest.raises(InputError, match=r"audit the data set itself: hf://tests:law@validation; .*; and 1 more"):
        load(path)
    path.write_text("x.val:\n  class: x:Y\n  args:\n    dataset: 'hf://[broken'\n")
    with pytest.raises(InputError, match=r"audit the data set itself: hf://\[broken"):
        load(path)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["evens/a.jsonl", "evens/b.jsonl"], "evals over 2 files; audit one of them: evens/a.jsonl; evens/b.jsonl"),
        (["az://bucket/x.jsonl"], "download them"),
        (["../../secret.jsonl"], "leads out of the registry"),
        (["/etc/passwd"], "leads out of the registry"),
        (["evens/none.jsonl"], "no `data` folder beside `evals` has it"),
    ],
)
def test_an_eval_without_usable_samples_is_one_clear_line(tmp_path, names, message):
    with pytest.raises(InputError, match=message):
        load(registry(tmp_path, **{f"e{n}": {"args": {"samples_jsonl": name}} for n, name in enumerate(names)}))


def test_data_on_the_hub_are_never_fetched_because_a_file_names_them(tmp_path, monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was opened"))
    path = folder(tmp_path, dataset_path="org/name", dataset_kwargs=None)
    with pytest.raises(InputError, match="and not in the cache, and nothing is fetched that you do not name"):
        load(path)
