"""LegalBench tables, and the base prompts beside them."""

import pytest

from hansproof.audit.reading.loading import Columns, load

N = 40


def table(tmp_path, prompt=None, columns=("title", "text")):
    rows = [("index", "answer", *columns, "slice")]
    rows += [(str(n), ("Yes", "No")[n % 2], *(f"{name} number {n}" for name in columns), "s") for n in range(N)]
    lines = ["\t".join(row) for row in rows]
    (tmp_path / "test.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if prompt is not None:
        (tmp_path / "base_prompt.txt").write_text(prompt, encoding="utf-8")
    return tmp_path / "test.tsv"


@pytest.mark.parametrize("braces", ["{{%s}}", "{%s}", "{{ %s }}"])
def test_the_lines_of_the_base_prompt_with_columns_make_the_prompt(tmp_path, braces):
    shots = "Decide.\n\nClause: an example\nA: Yes\n\n"
    prompt = f"{shots}Title: {braces % 'title'}\nClause: {braces % 'text'}\nA:"
    benchmark = load(table(tmp_path, prompt))
    assert benchmark.prompts[3] == "Title: title number 3\nClause: text number 3"
    assert (benchmark.answers[3], benchmark.ids[3]) == ("No", "3")
    assert benchmark.mapping.format == "LegalBench task"
    assert benchmark.mapping.guessed == ()


def test_what_the_user_names_wins(tmp_path):
    path = table(tmp_path, "Clause: {{text}}\nA:")
    assert load(path, Columns(prompt="title")).prompts[0] == "title number 0"
    assert load(path, Columns(template="{title}!")).prompts[0] == "title number 0!"


@pytest.mark.parametrize("prompt", ["Clause: {{other}}", "No column", "A: {{answer}}\nC: {{text}}", "", "{{text"])
def test_a_base_prompt_that_does_not_fit_the_table_is_not_used(tmp_path, prompt):
    benchmark = load(table(tmp_path, prompt, ("text",)))
    assert benchmark.mapping.format == "TSV"
    assert benchmark.prompts[0] == "text number 0"


def test_braces_in_the_wording_are_text(tmp_path):
    assert load(table(tmp_path, "{ {{text}} }")).prompts[0] == "{ text number 0 }"
