"""What is said of a published split, in the terminal and on the page."""

import io

import pytest
from made_published import split
from rich.console import Console

from hansproof.audit.report.audit_document import render
from hansproof.audit.report.audit_screen import show
from hansproof.audit.report.audit_sentences import overlap_sentence, parts_sentence
from hansproof.audit.report.audit_tables import kappas_table
from hansproof.audit.tasks.split_measurement import advise_on_split


def test_the_parts_what_they_share_and_the_kappas_without_it():
    assert parts_sentence(split()) == (
        "learnt from 1,024, validated on 256, cut from the training part, tested on 320 (column 'split'); answers "
        ".25 apart (p = .012)"
    )
    assert overlap_sentence(split()) == (
        "of 320 test items: 12 duplicates, 40 near-duplicates (similarity .70), 300 of a template or group in the "
        "training part (94 %), 3 conflicting answers"
    )
    rows = [[row[0].text, row[1].text, *(cell.text for cell in row[3:])] for row in kappas_table(split(), "x").rows]
    assert rows == [
        ["All test items", "320", ".51", "[.40, .62]"],
        ["Without copies of training items", "268", ".45", "[.33, .57]"],
        ["And without their templates", "20", "undefined", ""],
        ["Both parts, cross-fitted with each template in one fold", "1,600", ".01", ""],
    ]


def test_every_fault_gets_advice():
    advice = advise_on_split(split(), 0.05)
    assert [text.split(" ")[0] for text in advice] == ["Drop", "Correct", "300", "The", "The"]


@pytest.mark.parametrize(
    ("changes", "gone"),
    [
        ({"duplicates": 0, "near_duplicates": 0}, "Drop"),
        ({"conflicts": 0}, "Correct"),
        ({"same_template": 63}, "come from a template"),
        ({"same_template": None}, "come from a template"),
        ({"unseen_labels": []}, "never has the answer"),
        ({"shift_p": 0.2}, "not equally common"),
        ({"shift": 0.04}, "not equally common"),
    ],
)
def test_what_is_in_order_gets_no_advice(changes, gone):
    assert any(gone in text for text in advise_on_split(split(), 0.05))
    assert not any(gone in text for text in advise_on_split(split(**changes), 0.05))


def test_the_screen_and_the_page_show_the_split(make_result):
    result = make_result(published=split())
    stream = io.StringIO()
    show(result, Console(file=stream, width=100))
    assert "tested on 320" in stream.getvalue()
    page = render(result)
    for text in ("The published split", "Without copies of training items", "line 4", "near-duplicate of"):
        assert text in page
    assert "The published split" not in render(make_result())


def test_the_command_names_the_training_part(make_result):
    import msgspec

    settings = msgspec.structs.replace(make_result().settings, protocol="published", train="a b.jsonl", splits=1)
    page = render(make_result(settings=settings, published=split(source="a b.jsonl")))
    assert "--train &#39;a b.jsonl&#39;" in page
    assert "--protocol published" in page


def test_hostile_text_of_shared_items_stays_text(make_result, poison):
    page = render(poison(make_result(published=split())))
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
