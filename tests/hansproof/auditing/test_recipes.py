"""Recipes on the command line."""

import json

import pytest
from click.testing import CliRunner

from hansproof.audit.reading.recipes import all_recipes
from hansproof.command_line import command_line

ROWS = [
    {"sentence1": f"A fox {n} runs.", "sentence2": f"It is {('so', 'not so')[n % 2]} {n}.", "gold_label": "en"[n % 2]}
    for n in range(60)
]


def run(*arguments):
    return CliRunner().invoke(command_line(), ["audit", *map(str, arguments)])


def test_every_recipe_is_listed_and_one_is_shown_whole():
    listed = run("--list-recipes").stdout
    assert all(recipe.name in listed for recipe in all_recipes())
    shown = " ".join(run("--list-recipes", "--recipe", "HellaSwag").stdout.split())
    for words in (
        "hellaswag: HellaSwag (Zellers et al. 2019)",
        "licence MIT",
        "hf://Rowan/hellaswag",
        "choices = endings",
    ):
        assert words in shown


def test_the_lists_are_json_on_request():
    names = [recipe["name"] for recipe in json.loads(run("--list-recipes", "--json", "-").stdout)]
    assert names == [recipe.name for recipe in all_recipes()]
    assert json.loads(run("--list-recipes", "--recipe", "snli", "--json", "-").stdout)["hub"] == "stanfordnlp/snli"


def test_a_recipe_reads_a_file_and_an_option_wins_over_it(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    quick = ["--splits", "1", "--folds", "3", "--permutations", "99", "--json", "-"]
    document = json.loads(run(path, "--recipe", "snli", *quick).stdout)
    assert document["mapping"]["prompt"] == "{sentence1}\n{sentence2}"
    assert (document["mapping"]["guessed"], document["recipe"]["name"]) == ([], "snli")
    named = json.loads(run(path, "--recipe", "snli", "--prompt", "sentence2", *quick).stdout)
    assert (named["mapping"]["prompt"], named["mapping"]["answer"]) == ("sentence2", "gold_label")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x.jsonl", "--recipe", "snlj"], "error: there is no recipe 'snlj'. Did you mean 'snli'?"),
        (["--list-recipes", "--recipe", "snlj"], "error: there is no recipe 'snlj'."),
        ([], "Missing argument 'SOURCE...'"),
        (
            ["{file}", "--recipe", "piqa"],
            "does not fit: its form 'Hugging Face, JSONL of the authors with its .lst file' has 'goal', 'label'",
        ),
    ],
)
def test_what_does_not_exist_or_fit_is_one_clear_line_and_exit_2(tmp_path, arguments, words):
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    done = run(*[str(path) if argument == "{file}" else argument for argument in arguments])
    assert done.exit_code == 2
    assert words in done.stderr


def test_the_list_goes_into_a_file_and_nothing_is_overwritten_or_passed_over(tmp_path):
    file = tmp_path / "recipes.json"
    assert run("--list-recipes", "--json", file).stdout == ""
    assert json.loads(file.read_bytes())[0]["name"] == all_recipes()[0].name
    again = run("--list-recipes", "--json", file)
    assert (again.exit_code, "exists; pass --force" in again.stderr) == (2, True)
    for more in ([file], ["--html", tmp_path / "x.html"]):
        done = run("--list-recipes", *more)
        assert (done.exit_code, "--list-recipes reads no SOURCE and writes --json only" in done.stderr) == (2, True)
