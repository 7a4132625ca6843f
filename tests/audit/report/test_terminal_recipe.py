"""The recipe in the terminal: whose benchmark it is, and what is published about it."""

from __future__ import annotations

import io

import msgspec
from rich.console import Console

from hansproof.audit.report.audit_document import render
from hansproof.audit.report.audit_screen import show


def printed(result):
    stream = io.StringIO()
    show(result, Console(file=stream, width=120))
    return stream.getvalue()


def test_the_benchmark_its_published_figures_and_peculiarities_stand_below_the_source(with_recipe):
    lines = printed(with_recipe).splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith("recipe"))
    assert next(index for index, line in enumerate(lines) if line.startswith("source")) < place
    assert " ".join(" ".join(lines[place : place + 4]).split()) == (
        "recipe space-nli: SpaceNLI (Abzianidze et al. 2023), read as: OpenAI evals samples; licence: MIT; checked "
        "against: the published file published above .2: uniform-chance kappa of a probe (A 2024) "
        "known Its items are made from 160 patterns."
    )


def test_a_benchmark_that_was_only_asked_for_is_not_said_to_be_it(with_recipe):
    used = msgspec.structs.replace(with_recipe.recipe, confirmed=False)
    result = msgspec.structs.replace(with_recipe, recipe=used)
    text = " ".join(printed(result).split())
    assert "asked for: SpaceNLI (Abzianidze et al. 2023); nothing shows that this file is it. Read as: OpenAI" in text
    assert "published of SpaceNLI, if this file is it: above .2:" in text
    assert "nothing shows that this file is it" in render(result)
    assert "nothing shows that this file is it" not in render(with_recipe)


def test_without_a_recipe_nothing_is_said_of_it(make_result):
    text = printed(make_result())
    assert "recipe" not in text
    assert "published" not in text


def test_hostile_texts_of_a_recipe_drive_no_terminal(with_recipe, poison):
    text = printed(poison(with_recipe))
    assert "\x1b" not in text
    assert "\u202e" not in text
