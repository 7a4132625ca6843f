"""Columns whose values repeat become groups if they are called like a source, and no others do."""

import numpy as np
import pytest

import hansproof
from hansproof.audit.formats.table import Row
from hansproof.audit.reading.guesses import joined_values
from hansproof.audit.reading.loading import Columns, load

N = 60


def rows(name="premise", values=None, **others):
    values = values or [f"The old man number {n // 3} went home." for n in range(N)]
    table = [{name: values[n], "hypothesis": f"He is here {n}.", "label": ("yes", "no")[n * 7 % 2]} for n in range(N)]
    return [row | {column: listed[n] for column, listed in others.items()} for n, row in enumerate(table)]


def sources(table, **columns):
    return load(table, Columns(**columns)).mapping.sources


def test_a_premise_that_repeats_is_the_group_although_it_is_part_of_the_prompt():
    benchmark = load(rows())
    assert benchmark.mapping.prompt == "{premise}\n{hypothesis}"
    assert (benchmark.mapping.group, benchmark.mapping.sources) == ("premise", ("premise",))
    assert "group" in benchmark.mapping.guessed
    assert benchmark.groups == [f"The old man number {n // 3} went home." for n in range(N)]


@pytest.mark.parametrize("name", ["Context", "source_text", "passage_en", "story", "premises", "sentence1"])
def test_other_names_of_sources_count_too(name):
    assert sources(rows(name), template=f"{{{name}}} {{hypothesis}}") == (name,)


@pytest.mark.parametrize(
    "name", ["category", "difficulty", "topic", "annotator", "task", "source_language", "text_category", "hypothesis_2",
             "question", "explanation", "sentence2", "instruction"]
)  # fmt: skip
def test_columns_that_are_not_called_like_a_source_do_not_count(name):
    assert sources(rows(name), template=f"{{{name}}} {{hypothesis}}") == ()


def test_short_values_count_only_under_the_name_of_an_id():
    values = [f"s{n // 3}" for n in range(N)]
    assert sources(rows("source", values), prompt="hypothesis") == ()
    assert sources(rows("passage_id", values), prompt="hypothesis") == ("passage_id",)


def test_a_fifth_of_the_items_must_share_their_value_and_no_value_more_than_a_fifth():
    shared = ["The same long story here." if n < 6 else f"Quite another story number {n}." for n in range(N)]
    assert sources(rows(values=shared)) == ()  # 6 of 60
    six = [
        f"Short story number {min(n // 2, 5)} again." if n < 12 else f"Quite another story number {n}."
        for n in range(N)
    ]
    assert sources(rows(values=six)) == ("premise",)  # 12 of 60
    assert sources(rows(values=[f"A long story number {n % 5}." for n in range(N)])) == ("premise",)  # 12 each
    assert sources(rows(values=[f"A long story number {n % 4}." for n in range(N)])) == ()  # 15 each


def test_named_and_recognised_groups_are_not_overruled():
    pairs = [f"p{n // 2}" for n in range(N)]
    assert load(rows(pair_id=pairs)).mapping.group == "pair_id"
    assert load(rows(pair_id=pairs)).mapping.sources == ()
    assert load(rows(family=pairs), Columns(group="family")).mapping.group == "family"


def test_two_premises_join_by_each_unless_their_chain_joins_too_much():
    second = [
        f"The young girl number {(n + 1) // 3 % 20} stayed away." for n in range(N)
    ]  # links each group with the next
    table = rows("premise1", premise2=second)
    assert sources(table, template="{premise1} {premise2} {hypothesis}") == ("premise1",)
    pairs = [f"The young girl number {n // 6} stayed away." for n in range(N)]
    benchmark = load(rows("premise1", premise2=pairs), Columns(template="{premise1} {premise2} {hypothesis}"))
    assert (benchmark.mapping.group, len(set(benchmark.groups))) == ("premise1, premise2", 10)


def test_a_missing_source_leaves_its_item_alone():
    table = [
        Row(f"row {n}", values) for n, values in enumerate([{"a": "x", "b": "u"}, {"a": "y", "b": "u"}, {}, {"a": "z"}])
    ]
    assert joined_values(table, ["a", "b"]) == ["u", "u", "alone: row 2", "z"]


def test_groups_in_the_texts_add_to_those_of_the_column():
    table = rows()
    for n in (0, 30):
        table[n] |= {"premise": f"Nothing at all was said number {n}.", "hypothesis": "Same."}
    table[30]["premise"] = table[0]["premise"].upper()  # equal texts under another value
    result = hansproof.audit(table, splits=1, permutations=299)
    assert result.mapping.group == "premise"
    assert "by equal values of 'premise'" in result.groups.how
    assert result.groups.count == len(np.unique([row["premise"].casefold() for row in table]))
