"""JSON that holds no answers: what is there is said, and what was expected."""

import json

import pytest

from hansproof.audit.formats.json_rows import described
from hansproof.audit.reading.loading import load
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError

WANTED = '; a list with an object for each answer is expected: [{"id": item id, "reply": text}, ...]'


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("[1,2,3]", "a list of 3 numbers"),
        ("[1]", "a list of 1 number"),
        ('["a", null]', "a list of 2 different values"),
        ("[[1, 2],\n [3]]", "a list of 2 lists"),
        ("[]", "an empty list"),
        ("{}", "an empty object"),
        ('"text"', "a text"),
        ("42", "a number"),
        ("null", "null"),
        ("true", "a truth value"),
        ("[null]", "a list of 1 null"),
        ('{"a": [1]}', "an object with the key 'a'"),
        ('{"a": {"b": [1]}, "c": []}', "an object with the keys 'a', 'c'"),
        (
            json.dumps({f"k{n}": [] for n in range(9)}),
            "an object with the keys 'k0', 'k1', 'k2', 'k3', 'k4', 'k5' and 3 more",
        ),
    ],
)
def test_a_json_file_without_objects_says_what_it_holds(tmp_path, text, held):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        list(read_replies(path))
    assert str(caught.value) == f"{path}: holds {held}{WANTED}"


@pytest.mark.parametrize("text", ["1\n2\n", "[1]\n[2]\n", '"a"\n2\n'])
def test_values_on_lines_are_no_document(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match=r"x\.json: line 2 column 1: broken JSON: extra data"):
        list(read_replies(tmp_path / "x.json"))


def test_of_several_lists_of_answers_one_is_to_be_kept(tmp_path):
    (tmp_path / "x.json").write_text('{"a": [{"id": "1"}], "b": [{"id": "1"}], "c": 3}')
    with pytest.raises(
        InputError, match=r"holds an object with the keys 'a', 'b', 'c'; a list with an object for each"
    ):
        list(read_replies(tmp_path / "x.json"))


@pytest.mark.parametrize("value", [1, None, "text", [], [1, 2], [[1]], True])
def test_a_line_of_json_says_it_too(tmp_path, value):
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"id": "a", "reply": "b"}}\n{json.dumps(value)}\n')
    with pytest.raises(InputError) as caught:
        list(read_replies(path))
    assert str(caught.value).startswith(f"{path}: line 2: is not a JSON object but {described(value)}; each line is")


def test_documents_of_answers_are_read_as_before(tmp_path):
    path = tmp_path / "x.json"
    for text in (
        '[{"id": "a", "reply": "b"}]',
        '{"id": "a", "reply": "b"}',
        '{"rows": [{"id": "a", "reply": "b"}], "n": 1}',
    ):
        path.write_text(text)
        assert [(reply.id, reply.reply) for reply in read_replies(path)] == [("a", "b")]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_a_benchmark_that_is_json_is_not_told_that_it_is_none(tmp_path, name):
    (tmp_path / name).write_text('"text"\n')
    with pytest.raises(InputError, match="unknown format: JSON without a list of records"):
        load(tmp_path / name)
