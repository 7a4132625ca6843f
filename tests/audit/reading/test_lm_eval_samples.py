"""Sample logs of lm-evaluation-harness: one item per document, its gold as an option, never a reply."""

import json

import pytest

from hansproof.audit.harnesses.log_values import gold_option
from hansproof.audit.reading.loading import Columns, load

N = 40


def sample(n, *, options=None, target=None, prompt=None, **more):
    requests = {
        f"gen_args_{k}": {"arg_0": prompt or f"Q: item {n}\nA:", "arg_1": f" {option}"}
        for k, option in enumerate(options or ())
    } or {"gen_args_0": {"arg_0": prompt or f"Q: item {n}\nA:", "arg_1": {"until": ["\n"]}}}
    doc = {"question": f"item {n}", "label": ("yes", "no")[n % 2]}
    row = {"doc_id": n, "doc": doc, "target": target, "arguments": requests, "resps": [["wrong"]]}
    return {**row, "filtered_resps": ["wrong"], "filter": "none", "doc_hash": f"{n:064x}", **more}


def save(tmp_path, rows):
    path = tmp_path / "samples_x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_document_counts_once_whatever_filters_and_models_saw_it(tmp_path):
    rows = [
        sample(n, target=str(n % 3), filter=name) for _ in range(2) for n in range(N) for name in ("strict", "flexible")
    ]
    benchmark = load(save(tmp_path, rows))
    assert len(benchmark.prompts) == N
    assert benchmark.answers == [str(n % 3) for n in range(N)]
    assert benchmark.mapping.format == "lm-evaluation-harness samples"


def test_messages_behind_an_api_of_chats_are_read_as_messages(tmp_path):
    rows = []
    for n in range(N):
        chat = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": f"item {n}"}])
        rows.append(sample(n, target="ab"[n % 2], prompt=[chat]))
    benchmark = load(save(tmp_path, rows))
    assert benchmark.prompts[3] == "Be brief.\nitem 3"
    plain = load(save(tmp_path, [sample(n, target="ab"[n % 2], prompt=[f'["{n}"]']) for n in range(N)]))
    assert plain.prompts[3] == '["3"]'


def test_two_documents_of_one_number_are_two_items(tmp_path):
    rows = [sample(n, target="ab"[n % 2]) for n in range(N)]
    other = [{**sample(n, target="ab"[n % 2], prompt=f"other {n}"), "doc_hash": f"b{n}"} for n in range(N)]
    assert len(load(save(tmp_path, rows + other)).prompts) == 2 * N


def test_the_index_of_an_option_becomes_the_option_even_where_options_are_numbers(tmp_path):
    rows = [sample(n, options=["3", "1", "2"], target=str(n % 3)) for n in range(N)]
    benchmark = load(save(tmp_path, rows))
    assert benchmark.answers == [("3", "1", "2")[n % 3] for n in range(N)]
    assert benchmark.choices == [["3", "1", "2"]] * N


@pytest.mark.parametrize(
    ("target", "gold"),
    [
        (1, "b"),
        ("1", "b"),
        (" 1 ", "b"),
        ([0, 2], ["a", "c"]),
        ("[0, 2]", ["a", "c"]),
        ("b", "b"),
        ("7", "7"),
        (-1, -1),
        (True, True),
        ("[broken", "[broken"),
        ("[" * 5000, "[" * 5000),
        ("9" * 6000, "9" * 6000),
        ("\u00b2", "\u00b2"),
        (None, None),
    ],
)
def test_a_target_points_at_an_option_or_is_itself(target, gold):
    assert gold_option(target, ["a", "b", "c"]) == gold


def test_a_task_with_a_prompt_per_option_gives_its_documents_and_says_so(tmp_path):
    rows = []
    for n in range(N):
        row = sample(n, options=["so", "so"], target="so")
        row["arguments"]["gen_args_1"]["arg_0"] = f"Q: item {n} otherwise\nA:"
        rows.append(row)
    benchmark = load(save(tmp_path, rows))
    assert (benchmark.prompts[3], benchmark.answers[3]) == ("item 3", "no")
    assert benchmark.notes[0].startswith("this task asks with one prompt per option")


def test_worked_examples_in_the_prompts_are_noted_and_a_field_of_the_document_may_be_named(tmp_path):
    shots = "Q: two\nA: no\n\nQ: three\nA: yes\n\n"
    path = save(tmp_path, [sample(n, target=("yes", "no")[n % 2], prompt=f"{shots}Q: item {n}\nA:") for n in range(N)])
    assert any("--num_fewshot 0" in note for note in load(path).notes)
    plain = load(path, Columns(prompt="doc.question", answer="doc.label"))
    assert (plain.prompts[5], plain.answers[5]) == ("item 5", "no")
    bare = load(save(tmp_path, [sample(n, target="ab"[n % 2]) for n in range(N)]))
    assert not any("num_fewshot" in note for note in bare.notes)


@pytest.mark.parametrize("arguments", [None, [], {}, "x", [[]], [None], {"a": 1}, [["text"]], [[1, 2], [3, 4]]])
def test_strange_arguments_give_a_listed_row_or_a_text(tmp_path, arguments):
    rows = [sample(n, target="ab"[n % 2]) for n in range(N)]
    rows[7] = {**rows[7], "arguments": arguments}
    benchmark = load(save(tmp_path, rows))
    assert len(benchmark.prompts) + len(benchmark.left_out) == N
