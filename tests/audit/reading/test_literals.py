"""Lists that Python and NumPy wrote into a cell are read as data; whatever else a text may be is refused, fast."""

import ast
import time

import pytest

from hansproof.audit.reading.given_options import LONGEST, from_cell, read_literal

OPTIONS = ["it's", 'a "b"', "back\\slash", "line\nbreak\ttab", "Zürich \u2014 \U0001f600", "", "50 %"]


@pytest.mark.parametrize(
    "value",
    [
        OPTIONS,
        {"text": OPTIONS, "label": list("ABCDEFG")},
        [{"text": "x", "label": 1}, {"text": None, "label": -2.5}],
        {"a": True, "b": 1e-3, "c": [[1, 2], []]},
        [],
    ],
)
def test_what_python_writes_is_read_as_python_reads_it(value):
    assert read_literal(repr(value)) == ast.literal_eval(repr(value)) == value


def test_what_numpy_writes_is_read_where_python_would_join_the_texts():
    numpy = pytest.importorskip("numpy")
    array = numpy.array(OPTIONS, dtype=object)
    assert ast.literal_eval("['a' 'b']") == ["ab"]
    assert read_literal("['a' 'b']") == ["a", "b"]
    assert read_literal(str(array)) == OPTIONS
    assert read_literal(repr(array)) == OPTIONS
    nested = {"text": array, "label": numpy.array(list("ABCDEFG"), dtype=object)}
    assert read_literal(str(nested)) == {"text": OPTIONS, "label": list("ABCDEFG")}
    assert read_literal(repr([numpy.str_("a"), numpy.int64(3), numpy.float64(0.5)])) == ["a", 3, 0.5]


def test_a_frame_that_pandas_wrote_to_csv_and_read_again_has_its_options():
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    from io import StringIO

    frame = pandas.DataFrame(
        {"choices": [{"text": numpy.array(OPTIONS[:4], dtype=object), "label": numpy.array([1, 2, 3, 4])}]}
    )
    [cell] = pandas.read_csv(StringIO(frame.to_csv(index=False)))["choices"]
    given = from_cell(cell)
    assert given.texts == ("it's", 'a "b"', "back\\slash", "line\nbreak\ttab")
    assert given.marks == ("1", "2", "3", "4")


@pytest.mark.parametrize(
    "text",
    [
        "['a' 'b', 'c']",  # two texts for Python, three for NumPy
        "('a' 'b')",
        "[open('x')]",
        "__import__('os')",
        "[x for x in 'ab']",
        "['a'] + ['b']",
        "{'a', 'b'}",
        "['a'",
        "['\\U99999999']",
        "[1" + "0" * 5000 + "]",
        "[" * 100 + "]" * 100,
        "'text'",
        "3",
        "",
        "['a'] ['b']",
        "array('a', 'b')",
        "['a', *'b']",
    ],
)
def test_everything_else_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        read_literal(text)


def test_a_longer_text_is_not_even_looked_at():
    with pytest.raises(ValueError, match="longer than 100,000 characters"):
        read_literal("[" + " " * LONGEST + "]")


@pytest.mark.parametrize(
    "piece", ["'", '"', "\\'", "[", "(", "{", "array(", " ", "'\\", "1,", "''", "nan ", "-", "a.", "'' "]
)
def test_a_hostile_text_is_refused_at_once(piece):
    text = "[" + piece * (60_000 // len(piece))
    begun = time.process_time()
    with pytest.raises(ValueError, match=r".+"):
        read_literal(text)
    assert time.process_time() - begun < 2
