"""Templates of tasks: what is supported gives what Jinja gives; what could harm is refused before it runs."""

import pytest
from jinja2 import Environment

from hansproof.audit.harnesses.lm_eval import UnfitError, renderer
from hansproof.generators.errors import InputError

DOCUMENT = {
    "question": " Is it? ",
    "choices": {"text": ["a", "b"], "label": ["A", "B"]},
    "answerKey": "B",
    "label": 1,
    "items": ["x", "y"],
}


def fill(template, document=None):
    return renderer(template, DOCUMENT.keys(), "doc_to_text", "task.yaml")(document or DOCUMENT)


@pytest.mark.parametrize(
    "template",
    [
        "Q: {{question}}\nA:",
        "Q: {{ question.strip() }}\nA. {{choices['text'][0]}}\nB. {{choices.text[1]}}\nAnswer:",
        "{{['True', 'False'][label]}}!",
        "{% for text in choices.text %}- {{text}}\n{% endfor %}",
        "{% if label == 1 %}one{% else %}other{% endif %} {{ 'x' ~ question | trim }}",
        "{% set intro = 'Say:' %}{{intro + question}}",
        "{{ question | replace('?', '!') }}\n",
        "{{ ', '.join(choices.text) }} {{ items | length }}",
        "So {{ {'A': 'first', 'B': 'second'}[answerKey] }}.",
    ],
)
def test_a_supported_template_gives_what_jinja_gives(template):
    assert fill(template) == Environment(keep_trailing_newline=True).from_string(template).render(DOCUMENT)


def test_a_single_expression_keeps_its_value_and_a_column_stands_for_itself():
    assert fill("{{choices.text}}") == ["a", "b"]
    assert fill("{{choices.label.index(answerKey)}}") == 1
    assert fill("{{ (label|int) - 1 }}") == 0
    assert fill("items") == ["x", "y"]
    assert fill("a constant") == "a constant"


@pytest.mark.parametrize(
    ("template", "what"),
    [
        ("{{ ''.__class__.__mro__ }}", None),
        ("{{ question * 99999999 }}", "Mul"),
        ("{{ 9 ** 9 ** 9 }}", "Pow"),
        ("{{ '%999999999d' % 1 }}", "Mod"),
        ("{% for i in range(99999) %}x{% endfor %}", "a call of 'range'"),
        ("{% for a in items %}{% for b in items %}x{% endfor %}{% endfor %}", "loops within loops"),
        ("{% set a = question ~ question %}{{a}}", "a variable that is not a constant"),
        ("{{ question.replace('i', question) }}", "'replace' with anything"),
        ("{{ question.replace('', 'xx') }}", "'replace' with anything"),
        ("{{ question | replace('i', 'x' ~ question) }}", "'replace' with anything"),
        ("{{ question.join(items) }}", "'join' with anything"),
        ("{{ items | join(question) }}", "'join' with anything"),
        ("{{ question.center(999999999) }}", "a call of 'center'"),
        ("{{ question | center(99999999) }}", "the filter 'center'"),
        ("{{ question.format(1) }}", "a call of 'format'"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "Macro"),
        ("{% include 'x' %}", "Include"),
        ("{% import 'os' as os %}", "Import"),
        ("{{ self }}{{ cycler('a') }}", "a call of 'cycler'"),
        ("{{ items.append('z') }}", "a call of 'append'"),
        ("{{ unclosed", "is not a template"),
        ("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", "is not a template"),
        ("{{ x }}" * 4000, "more than 20,000 characters"),
    ],
)
def test_what_could_harm_is_refused_or_gives_nothing(template, what):
    if what is None:
        with pytest.raises(UnfitError):
            fill(template)
        return
    with pytest.raises(InputError, match=what):
        fill(template)


@pytest.mark.parametrize(
    "template",
    ["{{missing}}", "Q: {{missing}}", "{{choices.text[9]}} x", "{{items.index('q')}}", "{{ 1 ~ nothing.there }}"],
)
def test_a_document_that_does_not_fit_says_so(template):
    with pytest.raises(UnfitError):
        fill(template)


def test_a_huge_document_is_not_worked_on():
    with pytest.raises(UnfitError, match="more than 1,000,000 characters"):
        fill("Q: {{question}}", {**DOCUMENT, "question": "x" * 1_000_001})
    with pytest.raises(UnfitError, match="a text of more than 4,000,000 characters"):
        fill("{% for i in items %}{{question}}{% endfor %}", {**DOCUMENT, "items": [1] * 99, "question": "x" * 45_000})


@pytest.mark.parametrize(
    ("template", "longest"),
    [
        ("{% for sign in question %}{{question|upper|length}}{% endfor %}", "50,000"),
        ("{{question.replace('x', 'yyyyyyyyyy').replace('y', 'zzzzzzzzzz')}}", "100,000"),
        ("{{'----'.join('----'.join(question))}}", "400,000"),
        ("{{question|list|string|list|string|length}}", "400,000"),
        ("{{question ~ question ~ question|join('----') ~ question}}", "400,000"),
    ],
)
def test_the_more_a_template_can_grow_a_text_the_shorter_the_document_must_be(template, longest):
    with pytest.raises(UnfitError, match=f"a document of more than {longest} characters"):
        fill(template, {**DOCUMENT, "question": "x" * int(longest.replace(",", ""))})
