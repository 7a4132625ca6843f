"""Every published form of every benchmark that has a recipe, on records worded by us."""

import json

import pytest
from published_forms.paper import PAPER
from published_forms.used import USED

from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.reading.recipes import all_recipes, find_recipe

EVERY = [(name, *form) for name, forms in (PAPER | USED).items() for form in forms]


def test_every_form_of_every_recipe_has_a_record_here():
    named = {(name, form) for name, form, *_ in EVERY}
    assert {(recipe.name, layout.form) for recipe in all_recipes() for layout in recipe.layouts} <= named
    assert {recipe.name for recipe in all_recipes()} == {name for name, _ in named}


@pytest.mark.parametrize(("name", "form", "record", "prompt", "answer", "option"), EVERY)
def test_a_recipe_reads_the_form(name, form, record, prompt, answer, option, tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text(f"{json.dumps(record)}\n{json.dumps(record)}\n", encoding="utf-8")
    benchmark = load(path, Columns(recipe=name))
    assert benchmark.prompts == [prompt, prompt]
    assert benchmark.answers == [answer, answer]
    if find_recipe(name).layouts:
        assert benchmark.recipe.form == form
        assert set(benchmark.mapping.guessed) <= {"choices", "group", "id"}
    else:
        assert not benchmark.recipe.confirmed
    if option is not None:
        options = benchmark.options
        assert options.refusal == ""
        assert [texts[gold] for texts, gold in zip(options.texts, options.gold)] == [option, option]


@pytest.mark.parametrize(
    "name",
    ["fantasy-reasoning", "causal-judgment", "formal-fallacies", "metaphor-boolean", "moral-permissibility", "bbh"],
)
def test_the_task_json_of_big_bench_is_read_by_its_format(name, tmp_path):
    examples = [{"input": f"Is it {n}?", "target_scores": {"yes": n % 2, "no": 1 - n % 2}} for n in range(40)]
    path = tmp_path / "task.json"
    path.write_text(json.dumps({"name": "t", "task_prefix": "P", "canary": "c", "examples": examples}))
    benchmark = load(path, Columns(recipe=name))
    assert benchmark.prompts[1] == "Is it 1?"
    assert benchmark.answers[:2] == ["no", "yes"]
