"""The annotation form: round trips through both formats, kappas by hand and by two libraries, broken files."""

import csv
import json
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from generators.errors import InputError, UsageError
from generators.item import Item
from generators.knights_knaves.annotation import (
    CATEGORIES,
    Annotation,
    agreement,
    form,
    read_form,
    write_form,
)

DATA = {
    "names": ["A", "B"],
    "terms": ["knight", "knave"],
    "statements": ["~B", "(~A & ~B)"],
    "n": 2,
    "set": "S",
}
ITEMS = [
    Item(f"k/1/x/{i:06d}", "A: B is a knave.", None, "A: knight", "g", "c", {**DATA, "solutions": ["KN"]})
    for i in range(3)
]
REPLIES = {
    ITEMS[0].id: '=1+1 says, "quoted",\nA: knight\nB: knave',
    ITEMS[2].id: "A says that B is a knight.\nA: knight\nB: knave\u2028;\ud800",
}
HEADER = "id," + ",".join(CATEGORIES)


def annotated(labels: dict[str, list[bool]]) -> dict[str, Annotation]:
    count = max(map(len, labels.values()))
    rows = [{one: labels.get(one, [False] * count)[i] for one in CATEGORIES} for i in range(count)]
    return {str(i): Annotation(str(i), row, dict.fromkeys(CATEGORIES, "")) for i, row in enumerate(rows)}


def test_a_form_has_a_row_for_every_item_with_a_reply_and_blank_cells() -> None:
    rows = form(ITEMS, REPLIES)
    assert [row["id"] for row in rows] == [ITEMS[0].id, ITEMS[2].id]
    assert list(rows[0])[:6] == ["id", "prompt", "answer", "reply", "SR", "SR_reason"]
    assert {rows[0][key] for key in CATEGORIES} == {""}


def test_prefilling_says_yes_where_the_machine_is_certain_and_nothing_elsewhere() -> None:
    rows = form(ITEMS, REPLIES, prefill=True)
    assert (rows[1]["SR"], rows[1]["SR_reason"]) == ("yes", "line 1: A says: B is a knave")
    assert [rows[0][key] for key in CATEGORIES] == [""] * 6
    assert [rows[1][key] for key in CATEGORIES] == ["yes", "", "", "", "", ""]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_filled_in_form_is_read_back(tmp_path: Path, ending: str) -> None:
    rows = form(ITEMS, REPLIES)
    for row in rows:
        row |= dict.fromkeys(CATEGORIES, "no") | {"TS": " Yes ", "TS_reason": 'takes A\'s word, "sic"'}
    path = tmp_path / f"form.{ending}"
    write_form(path, rows)
    read = read_form(path)
    assert list(read) == [ITEMS[0].id, ITEMS[2].id]
    assert read[ITEMS[0].id].labels == {one: one == "TS" for one in CATEGORIES}
    assert read[ITEMS[2].id].reasons["TS"] == 'takes A\'s word, "sic"'


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_blank_form_has_no_annotations_yet(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"form.{ending}"
    write_form(path, form(ITEMS, REPLIES))
    assert read_form(path) == {}


def test_no_cell_of_a_csv_form_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    write_form(path, form(ITEMS, REPLIES))
    with path.open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert '\'=1+1 says, "quoted",\nA: knight\nB: knave' in cells
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@")]


def test_forms_saved_by_spreadsheets_with_marks_semicolons_and_crlf_are_read(tmp_path: Path) -> None:
    path = tmp_path / "form.CSV"
    rows = ["id;" + ";".join(CATEGORIES), "a;Y;n;1;0;TRUE;False", ";;;;;;", "b;x;No;no;no;no;no"]
    path.write_bytes(("\ufeff" + "\r\n".join(rows) + "\r\n").encode())
    read = read_form(path)
    assert list(read["a"].labels.values()) == [True, False, True, False, True, False]
    assert list(read["b"].labels.values()) == [True, False, False, False, False, False]


def test_json_booleans_are_read(tmp_path: Path) -> None:
    path = tmp_path / "form.jsonl"
    path.write_text(json.dumps({"id": "a", **dict.fromkeys(CATEGORIES, False), "LO": True}) + "\n\n", encoding="utf-8")
    assert read_form(path)["a"].labels == {one: one == "LO" for one in CATEGORIES}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("f.csv", b"", "is empty; an annotation form begins with a header"),
        ("f.csv", b"id,SR,TS\n", "line 1: the header lacks TL, LO, UC, UF"),
        ("f.csv", f"{HEADER},SR\n".encode(), "line 1: the header has SR twice"),
        ("f.csv", f"{HEADER}\na,no\n".encode(), "line 2: has 2 cells, the header 7"),
        (
            "f.csv",
            f"{HEADER}\na,no,no,no,no,no,maybe\n".encode(),
            "line 2: UF is 'maybe', neither yes nor no",
        ),
        (
            "f.csv",
            f"{HEADER}\na,no,no,no,no,no,\n".encode(),
            "line 2: UF is blank, though others are filled in",
        ),
        ("f.csv", f"{HEADER}\n,no,no,no,no,no,no\n".encode(), "line 2: has no id"),
        ("f.csv", f"{HEADER}\na,,,,,,\na,,,,,,\n".encode(), "line 3: the id 'a' is that of line 2 too"),
        ("f.csv", f'{HEADER}\n"a,no,no\n'.encode(), "broken CSV"),
        (
            "f.csv",
            f"{HEADER}\n{'a' * 200_000},no,no,no,no,no,no\n".encode(),
            "line 2: broken CSV: field larger",
        ),
        ("f.csv", b"\xff\xfe", "byte 1 is not UTF-8; save the form as UTF-8"),
        ("f.jsonl", b"{", "line 1: broken JSON"),
        ("f.jsonl", b"[" * 100_000, "line 1: broken JSON"),
        ("f.jsonl", b"[]\n", "line 1: is not a JSON object"),
        ("f.jsonl", b'{"id": "a"}\n', "line 1: lacks SR, TS, TL, LO, UC, UF"),
        ("f.jsonl", json.dumps({"id": None, **dict.fromkeys(CATEGORIES, "")}).encode(), "line 1: has no id"),
        (
            "f.jsonl",
            json.dumps({"id": "a", **{key: [1] for key in CATEGORIES}}).encode(),
            r"SR is '\[1\]', neither",
        ),
    ],
)
def test_a_broken_form_is_refused_with_its_place(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_form(path)


def test_many_faults_are_counted_and_the_first_ten_shown(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    path.write_text(HEADER + "\n" + "".join(f"{i},?,no,no,no,no,no\n" for i in range(25)), encoding="utf-8")
    with pytest.raises(InputError, match="and 15 more") as caught:
        read_form(path)
    assert str(caught.value).count("neither yes nor no") == 10


def test_other_endings_missing_files_and_empty_forms_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ends in \.csv or \.jsonl"):
        read_form(tmp_path / "form.xlsx")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_form(tmp_path / "form.csv")
    with pytest.raises(InputError, match="nothing to annotate"):
        write_form(tmp_path / "form.csv", form(ITEMS, {}))
    write_form(tmp_path / "form.csv", form(ITEMS, REPLIES))
    with pytest.raises(InputError, match="is there already"):
        write_form(tmp_path / "form.csv", form(ITEMS, REPLIES))


def test_a_worked_kappa() -> None:
    # 50 traces: 20 both yes, 15 both no, 5 and 10 split: p_o = .7, p_e = .5 * .6 + .5 * .4 = .5, kappa = .4
    first = [True] * 25 + [False] * 25
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    found = {one.category: one for one in agreement(annotated({"TS": first}), annotated({"TS": second}))}
    assert found["TS"].kappa == pytest.approx(0.4)
    assert (found["TS"].traces, found["TS"].both, found["TS"].first_only, found["TS"].second_only) == (
        50,
        20,
        5,
        10,
    )
    assert isnan(found["LO"].kappa)
    assert found["LO"].reason == "both annotators say no to every trace"


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_kappas_are_those_of_scikit_learn_and_statsmodels(pairs: list[tuple[bool, bool]]) -> None:
    first, second = [list(labels) for labels in zip(*pairs)]
    one = agreement(annotated({"UC": first}), annotated({"UC": second}))[4]
    assert one.category == "UC"
    if isnan(one.kappa):
        assert len({*first, *second}) == 1
        assert one.reason
    else:
        counts = [[pairs.count((a, b)) for b in (True, False)] for a in (True, False)]
        assert one.kappa == pytest.approx(cohen_kappa_score(first, second))
        assert one.kappa == pytest.approx(cohens_kappa(counts, return_results=False))


def test_only_traces_that_both_annotated_count() -> None:
    first = annotated({"SR": [True, False, True]})
    second = annotated({"SR": [True, False]})
    sr = agreement(first, second)[0]
    assert (sr.traces, sr.kappa) == (2, 1.0)
    none = agreement(first, {})[0]
    assert (none.traces, isnan(none.kappa), none.reason) == (0, True, "no trace is annotated by both")
