"""Rows and the values in them."""

import math

import pytest

from hansproof.audit.formats.table import MISSING, Row, Table, as_name, cell, is_blank


def test_columns_are_those_of_all_rows_in_order_of_first_appearance():
    assert Table.of("JSONL", [Row("line 1", {"b": 1}), Row("line 2", {"a": 2, "b": 3})]).columns == ["b", "a"]


def test_a_dotted_path_leads_into_objects_unless_a_column_has_that_very_name():
    values = {"a": {"b": 1, "c": None}, "x.y": 2}
    assert [cell(values, column) for column in ("a.b", "a.c", "x.y", "a.d", "z")] == [1, None, 2, MISSING, MISSING]


@pytest.mark.parametrize(
    ("value", "name"),
    [(True, "true"), (1.0, "1.0"), (" s ", "s"), ({"b": 1, "a": [2]}, '{"a":[2],"b":1}'), ("", None), (math.nan, None)],
)
def test_a_name_is_canonical_text_and_nothing_gives_none(value, name):
    assert as_name(value) == name


def test_a_name_nested_more_than_fifty_deep_is_none():
    nested = "x"
    for _ in range(50):
        nested = [nested]
    assert as_name(nested) == "[" * 50 + '"x"' + "]" * 50
    assert as_name([nested]) is None


@pytest.mark.parametrize(("value", "blank"), [(None, True), (" \n", True), ([], True), (MISSING, True), (0, False)])
def test_what_holds_nothing_is_blank(value, blank):
    assert is_blank(value) is blank
