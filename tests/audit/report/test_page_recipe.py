"""The recipe on the page: a section of its own."""

from __future__ import annotations

from hansproof.audit.report.audit_document import render


def test_the_section_names_the_benchmark_and_what_is_published(with_recipe):
    page = render(with_recipe)
    section = page[page.index('id="recipe"') : page.index("</section>", page.index('id="recipe"'))]
    assert "space-nli: SpaceNLI (Abzianidze et al. 2023), read as: OpenAI evals samples; licence: MIT" in section
    assert "checked against: the published file" in section
    assert "<dt>Published</dt><dd>above .2: uniform-chance kappa of a probe (A 2024)</dd>" in section
    assert "<dt>Known</dt><dd>Its items are made from 160 patterns.</dd>" in section


def test_without_a_recipe_there_is_no_section(make_result):
    assert 'id="recipe"' not in render(make_result())


def test_hostile_texts_of_a_recipe_stay_text(with_recipe, poison):
    page = render(poison(with_recipe))
    assert "<script>alert" not in page
