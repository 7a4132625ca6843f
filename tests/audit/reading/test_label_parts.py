"""Parts of structured answers that are labels: where they are, and what --answer-part is given for them."""

import re

import pytest

from hansproof.audit.reading.answer_parts import label_parts


def sample(form):
    return [form(n) for n in range(60)]


@pytest.mark.parametrize(
    ("form", "names", "option"),
    [
        (lambda n: f"{n % 2:b}{n % 3 > 0:b}{n // 30:b}", ["character 1", "character 2", "character 3"], "^.{0}(.)"),
        (
            lambda n: f"A: {'xy'[n % 2]}es; B: {'uv'[n % 3 > 0]}o {n}",
            ["what follows 'A'", "what follows 'B'"],
            r"(?:^|[\s,;:|])A[\s,;:|]+([^\s,;:|]+)",
        ),
        (
            lambda n: f"{n}, {'yes' if n % 2 else 'no'}, {n}",
            ["word 2"],
            r"^[\s,;:|]*(?:[^\s,;:|]+[\s,;:|]+){1}([^\s,;:|]+)",
        ),
        (
            lambda n: f"{n} {'+' if n % 2 else '-'} 3 = {n}",
            ["word 2"],
            r"^[\s,;:|]*(?:[^\s,;:|]+[\s,;:|]+){1}([^\s,;:|]+)",
        ),
        (lambda n: f"{'Yes' if n % 2 else 'No'}, {n}{' because' * (n % 7)}", ["word 1"], r"^[\s,;:|]*([^\s,;:|]+)"),
        (lambda n: f'{{"who": "{n}", "how": {"true" if n % 2 else "false"}}}', ["the value of 'how'"], "key:how"),
        (lambda n: f'["{n}", "{"ab"[n % 2]}"]', ["entry 2"], "key:1"),
        (
            lambda n: f"{n}\n{'left' if n % 2 else 'right'}",
            ["word 2"],
            r"^[\s,;:|]*(?:[^\s,;:|]+[\s,;:|]+){1}([^\s,;:|]+)",
        ),
    ],
)
def test_each_kind_of_structure(form, names, option):
    parts = label_parts(sample(form))
    assert [part.name for part in parts] == names
    assert parts[0].option == option


@pytest.mark.parametrize(
    "form",
    [
        lambda n: f"answer {n}",
        lambda n: str(n * 37 % 101),
        lambda n: "x" * (n + 1),
        lambda n: f"all the same, {n}",
        lambda n: f"so it {'is' if n % 2 else 'was'} {'again ' * (n % 9)}{n}",
    ],  # as many words make a structure
)
def test_no_structure_no_parts(form):
    assert label_parts(sample(form)) == []


@pytest.mark.parametrize(
    "form",
    [
        lambda n: f"A: {'xy'[n % 2]}es; B: {'uv'[n % 3 > 0]}o {n}",
        lambda n: f"{n}, {'yes' if n % 2 else 'no'}, {n}",
        lambda n: f"{n}|{'yes' if n % 2 else 'no'}",
        lambda n: "".join("tf"[n % prime > prime // 2] for prime in (2, 3, 5, 7, 11, 13)),
    ],
)
def test_the_option_finds_the_same_part(form):
    import re2

    for part in label_parts(sample(form)):
        for answer, label in zip(sample(form), part.labels, strict=True):
            assert re2.search(part.option, answer)[1].strip() == label
            assert re.search(part.option, answer)[1].strip() == label


def test_rare_values_are_no_labels_and_long_answers_no_structure():
    assert label_parts(["a"[: n > 58] + "bb"[n > 58 :] + "b" for n in range(60)]) == []
    assert label_parts([f"{'ab'[n % 2]} {'long ' * 200}" for n in range(60)]) == []
