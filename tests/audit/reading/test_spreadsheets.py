"""What spreadsheets write around the rows of a CSV is not data."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.audit.reading.loading import load
from hansproof.generators.errors import InputError

ROWS = [f"item {n},{'no' if n % 2 else 'yes'}" for n in range(40)]


def write(folder: Path, text: str) -> Path:
    path = folder / "bench.csv"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("end", ["", ",", ",,,"])
def test_empty_columns_at_the_end_are_dropped(tmp_path: Path, end: str) -> None:
    benchmark = load(write(tmp_path, "".join(f"{line}{end}\r\n" for line in ["text,label", *ROWS])))
    assert (len(benchmark.answers), benchmark.answers[:2], benchmark.left_out) == (40, ["yes", "no"], ())


def test_columns_without_a_name_that_hold_something_are_not_dropped(tmp_path: Path) -> None:
    lines = ["text,label,,", *(f"{row},,x" for row in ROWS)]
    with pytest.raises(InputError, match="line 1: 2 columns have no name in the header; name them"):
        load(write(tmp_path, "\n".join(lines)))


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "SEP=;"])
def test_a_first_line_that_states_the_separator_is_obeyed_and_skipped(tmp_path: Path, first: str) -> None:
    lines = ["text, with commas, in it;label", *(row.replace(",", ";") for row in ROWS)]
    benchmark = load(write(tmp_path, "\r\n".join([first, *lines])))
    assert (benchmark.prompts[0], benchmark.answers[:2], benchmark.ids[0]) == ("item 0", ["yes", "no"], "line 3")


@pytest.mark.parametrize("end", ["\x1a", "\r\n\x1a", "\r\n\x1a\r\n"])
def test_a_final_control_z_ends_the_rows(tmp_path: Path, end: str) -> None:
    benchmark = load(write(tmp_path, "\r\n".join(["text,label", *ROWS]) + end))
    assert (len(benchmark.answers), set(benchmark.answers)) == (40, {"yes", "no"})
