"""The annotation form: round trips through both formats, two annotators compared, broken files."""

import csv
import json
from math import isnan

import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.replies.annotation import Annotation, Form, agreement, form, form_bytes, read_form
from hansproof.generators.dataset import ErrorScheme, ProvenError
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.item import Item

KINDS = ("SR", "TS", "UF")


def prove(item, reply):
    """Every line with `never` misquotes; a kind that the form does not ask about is passed over."""
    lines = enumerate(reply.split("\n"), start=1)
    proven = [ProvenError("SR", number, f"says {item.answer}") for number, line in lines if "never" in line]
    return [*proven, ProvenError("WC", 1, "wrong")]


SCHEME = ErrorScheme({kind: f"what {kind} is" for kind in KINDS}, prove)
ITEMS = [Item(f"k/1/x/{index:06d}", "A: B lies.", None, "A", "g", "c", {"subset": "x"}) for index in range(3)]
REPLIES = {ITEMS[0].id: '=1+1 says, "quoted",\nA', ITEMS[2].id: "yes\nnever\nnever again\u2028;\ud800"}
HEADER = "id," + ",".join(KINDS)


def annotated(path, labels):
    count = max(map(len, labels.values()))
    rows = [{kind: labels.get(kind, [False] * count)[index] for kind in KINDS} for index in range(count)]
    return Form(path, KINDS, {str(i): Annotation(str(i), row, dict.fromkeys(KINDS, "")) for i, row in enumerate(rows)})


def test_a_form_has_a_row_for_every_item_with_a_reply_and_blank_cells():
    rows = form(ITEMS, REPLIES, SCHEME)
    assert [row["id"] for row in rows] == [ITEMS[0].id, ITEMS[2].id]
    assert list(rows[0]) == ["id", "prompt", "answer", "reply", "SR", "SR_reason", "TS", "TS_reason", "UF", "UF_reason"]
    assert {rows[1][kind] for kind in KINDS} == {""}


def test_prefilling_marks_the_first_proof_of_each_kind_and_nothing_else():
    rows = form(ITEMS, REPLIES, SCHEME, prefill=True)
    assert [rows[0][kind] for kind in KINDS] == [""] * 3
    assert (rows[1]["SR"], rows[1]["SR_reason"], rows[1]["UF"]) == ("yes", "line 2: says A", "")
    assert "WC" not in rows[1]


def write_form(path, rows):
    path.write_bytes(form_bytes(rows, path.suffix[1:], str(path)))


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_filled_in_form_is_read_back(tmp_path, ending):
    rows = form(ITEMS, REPLIES, SCHEME)
    for row in rows:
        row |= dict.fromkeys(KINDS, "no") | {"TS": " Yes ", "TS_reason": 'takes A\'s word, "sic"'}
    path = tmp_path / f"form.{ending}"
    write_form(path, rows)
    read = read_form(path)
    assert (read.categories, list(read.annotations)) == (KINDS, [ITEMS[0].id, ITEMS[2].id])
    assert read.annotations[ITEMS[0].id].labels == {"SR": False, "TS": True, "UF": False}
    assert read.annotations[ITEMS[2].id].reasons["TS"] == 'takes A\'s word, "sic"'


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_blank_form_has_no_annotations_yet(tmp_path, ending):
    path = tmp_path / f"form.{ending}"
    write_form(path, form(ITEMS, REPLIES, SCHEME))
    assert (read_form(path).annotations, read_form(path).categories) == ({}, KINDS)


def test_a_column_of_notes_is_no_kind_of_error_beside_reasons(tmp_path):
    path = tmp_path / "form.csv"
    path.write_text("id,SR,SR_reason,notes\na,yes,line 1,to be discussed\n", encoding="utf-8")
    assert read_form(path).annotations["a"].labels == {"SR": True}


def test_no_cell_of_a_csv_form_is_a_formula(tmp_path):
    path = tmp_path / "form.csv"
    write_form(path, form(ITEMS, REPLIES, SCHEME))
    with path.open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert '\'=1+1 says, "quoted",\nA' in cells
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@")]


def test_forms_saved_by_spreadsheets_with_marks_semicolons_and_crlf_are_read(tmp_path):
    path = tmp_path / "form.CSV"
    rows = ["id;A;B;C;D;E;F", "a;Y;n;1;0;TRUE;False", ";;;;;;", "b;x;No;no;no;no;no"]
    path.write_bytes(("\ufeff" + "\r\n".join(rows) + "\r\n").encode())
    read = read_form(path).annotations
    assert list(read["a"].labels.values()) == [True, False, True, False, True, False]
    assert list(read["b"].labels.values()) == [True, False, False, False, False, False]


def test_json_booleans_are_read(tmp_path):
    path = tmp_path / "form.jsonl"
    path.write_text(json.dumps({"id": "a", "SR": False, "TS": True, "UF": False}) + "\n\n", encoding="utf-8")
    assert read_form(path).annotations["a"].labels == {"SR": False, "TS": True, "UF": False}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("f.csv", b"", r"f\.csv: the file is empty"),
        ("f.csv", b"SR,TS\n", r"f\.csv: has no column `id`, but 'SR', 'TS'"),
        ("f.csv", b"id,prompt,reply\n", r"f\.csv: has no column for any kind of error beside id, prompt, reply"),
        ("f.csv", f"{HEADER},SR\n".encode(), r"f\.csv: line 1: the header names 'SR' more than once"),
        ("f.csv", f"{HEADER}\na,no\n".encode(), r"f\.csv: line 2: 2 cells where the header has 4"),
        ("f.csv", f"{HEADER}\na,no,no,maybe\n".encode(), r"f\.csv: line 2: UF is 'maybe', neither yes nor no"),
        ("f.csv", f"{HEADER}\na,no,no,\n".encode(), "line 2: UF is blank, though others are filled in"),
        ("f.csv", f"{HEADER}\n,no,no,no\n".encode(), "line 2: has no id"),
        ("f.csv", f"{HEADER}\na,,,\na,,,\n".encode(), "line 3: has the same id as line 2, 'a'"),
        ("f.csv", f'{HEADER}\n"a,no,no\n'.encode(), r"f\.csv: line 2: the quote that opens here is never closed"),
        ("f.csv", b"id,SR\na,\xff", r"f\.csv: byte 9 is not UTF-8; save the file as UTF-8"),
        ("f.jsonl", b"{", r"f\.jsonl: line 1 column 2: broken JSON"),
        ("f.jsonl", b"[" * 100_000, "line 1: JSON is nested too deeply"),
        ("f.jsonl", b"[]\n", "line 1: not a JSON object"),
        ("f.jsonl", b'{"SR": "no"}\n', "f.jsonl: has no column `id`, but 'SR'"),
        ("f.jsonl", b'{"id": "a", "SR": "no"}\n{"SR": "no"}\n', "line 2: has no id"),
        ("f.jsonl", b'{"id": "a", "SR": "no", "TS": "no"}\n{"id": "b", "TS": "no"}\n', "line 2: has no SR"),
        ("f.jsonl", b'{"id": null, "SR": ""}\n', "line 1: has no id"),
        ("f.jsonl", b'{"id": "a", "SR": [1]}\n', r"line 1: SR is '\[1\]', neither"),
    ],
)
def test_a_broken_form_is_refused_with_its_place(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_form(path)


def test_every_fault_is_a_record(tmp_path):
    path = tmp_path / "form.csv"
    path.write_text(HEADER + "\n" + "".join(f"{i},?,no,no\n" for i in range(25)), encoding="utf-8")
    with pytest.raises(InputError, match="and 5 more") as caught:
        read_form(path)
    assert [fault.place for fault in caught.value.faults] == [f"{path}: line {line}" for line in range(2, 27)]
    assert {fault.reason for fault in caught.value.faults} == {"SR is '?', neither yes nor no"}


def test_other_endings_missing_files_and_empty_forms_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"form\.xlsx: an annotation form ends in \.csv or \.jsonl"):
        read_form(tmp_path / "form.xlsx")
    with pytest.raises(InputError, match="no such file"):
        read_form(tmp_path / "form.csv")
    with pytest.raises(InputError, match="nothing to annotate"):
        write_form(tmp_path / "form.csv", [])


REPLY = "I think so.\r=cmd|' /C calc'!A0\rno,\"yes\";\t@x " + "long " * 40_000


def test_a_reply_with_bare_carriage_returns_stays_one_row_that_no_spreadsheet_computes(tmp_path):
    id = "=1+1/1.0.0/s/000000"
    row = {"id": id, "prompt": "'=p", "answer": "-3", "reply": REPLY, "SR": "yes", "SR_reason": "- because"}
    path = tmp_path / "form.csv"
    write_form(path, [row])
    # A reader that takes every carriage return, quoted or not, for the end of a row sees no row of the reply's own.
    with path.open(encoding="utf-8", newline="") as file:
        usual = csv.field_size_limit(10**6)
        header, cells = list(csv.reader(file, strict=True))
        csv.field_size_limit(usual)
    assert (header, cells[:4]) == (list(row), ["'" + id, "''=p", "'-3", REPLY])
    annotation = read_form(path).annotations[id]
    assert (annotation.labels, annotation.reasons) == ({"SR": True}, {"SR": "- because"})


def test_agreement_is_counted_for_each_kind_over_what_both_annotated():
    first = annotated("first.csv", {"TS": [True, True, False, False, True]})
    second = annotated("second.csv", {"TS": [True, False, True, False]})
    compared = agreement(first, second)
    assert list(compared.categories) == list(KINDS)
    both = compared.categories["TS"].agreement
    assert (both.replies, both.both, both.first_only, both.second_only, both.neither) == (4, 1, 1, 1, 1)
    assert (both.kappa, compared.categories["TS"].pearson) == (0, 0)
    assert isnan(compared.categories["SR"].agreement.kappa)
    assert compared.categories["SR"].reason == "each judgement is the same for every reply"
    empty = agreement(first, Form("empty.csv", KINDS, {}))
    assert {kind: marks.agreement.reason for kind, marks in empty.categories.items()} == dict.fromkeys(
        KINDS, "there are no replies to compare"
    )
    assert (empty.overall.reason, empty.errors[1]) == ("there are no replies to compare",) * 2


def test_overall_every_mark_is_a_judgement_and_errors_are_counted_by_reply():
    first = annotated("first.csv", {"SR": [True, True, False, False], "TS": [True, False, False, True]})
    second = annotated("second.csv", {"SR": [True, False, False, False], "TS": [True, False, True, True]})
    compared = agreement(first, second)
    marks = [[row.labels[kind] for row in form.annotations.values() for kind in KINDS] for form in (first, second)]
    assert compared.overall.agreement.replies == 12
    assert compared.overall.agreement.kappa == pytest.approx(cohen_kappa_score(*marks))
    # Both mark 3, the first 1 more and the second 1 more of 12: phi = (3 * 7 - 1 * 1) / (4 * 8)
    assert compared.overall.pearson == pytest.approx(20 / 32)
    # 2, 1, 0, 1 against 2, 0, 1, 1: covariance 1, variances 2 and 2
    assert compared.errors == (pytest.approx(0.5), "")
    constant = agreement(first, annotated("b.csv", {"SR": [True] * 4, "TS": [False] * 4}))
    assert isnan(constant.errors[0])
    assert constant.errors[1] == "the second judgement is the same for every reply"


def test_forms_about_other_kinds_of_error_are_not_compared():
    with pytest.raises(InputError, match=r"^b\.csv: has no TS, UF, which a\.csv has"):
        agreement(Form("a.csv", KINDS, {}), Form("b.csv", ("SR",), {}))
    with pytest.raises(InputError, match=r"^a\.csv: has no UF, which b\.csv has"):
        agreement(Form("a.csv", ("SR", "TS"), {}), Form("b.csv", KINDS, {}))
