"""A library in Rust that panics raises what is no Exception, and prints a report of its own: nobody sees either."""

import io
import os

import polars as pl
import pytest

from hansproof.audit.formats.frames import parquet_table, quiet_panics
from hansproof.audit.scale.processes import Job, attempted
from hansproof.generators.errors import InputError, told

ROWS = {"question": [f"item number {n}" for n in range(200)], "label": ["yes", "no"] * 100}


def parquet():
    whole = io.BytesIO()
    pl.DataFrame(ROWS).write_parquet(whole)
    return whole.getvalue()


def test_a_damaged_parquet_file_is_one_line_even_where_polars_panics(capfd):
    data = parquet()
    refused = []
    for place in range(-395, -375):  # among them the bytes on which polars 1.3x and 2.1 panic
        for byte in (0x01, 0x15, 0x2C, 0x7F, 0x80, 0xFF):
            changed = bytearray(data)
            changed[place] = byte
            try:
                parquet_table(bytes(changed), "p.parquet")
            except InputError as error:
                refused.append(str(error))
    assert len(refused) > 20
    assert [line for line in refused if not line.startswith("p.parquet: damaged Parquet file: ")] == []
    assert all(map(str.isprintable, refused))
    assert capfd.readouterr().err == ""


def test_what_a_panic_prints_is_not_seen_and_what_follows_is(capfd):
    def panics():
        with quiet_panics():
            os.write(2, b"thread 'main' panicked at src/lib.rs\n")
            raise pl.exceptions.PanicException("range end index 9")

    with pytest.raises(pl.exceptions.PanicException, match="range end index 9"):
        panics()
    os.write(2, b"a warning\n")
    assert capfd.readouterr().err == "a warning\n"


def test_a_panic_excludes_one_benchmark_of_a_folder_and_no_other():
    def panics():
        raise pl.exceptions.PanicException("range end index 9\nsecond line")

    job = Job("b.parquet", "b", None, None, 1)
    outcome = attempted(job, panics).result
    assert (outcome.place, outcome.reason) == (
        "b.parquet",
        "a library failed on it (PanicException: range end index 9); the file may be damaged",
    )

    def stops():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempted(job, stops)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            FileNotFoundError(2, "No such file or directory", "x\x1b"),
            r"x\x1b: No such file or directory; check the name",
        ),
        (OSError(36, "File name too long", "a" * 3), "aaa: File name too long; choose a shorter name"),
        (MemoryError(), "memory ran out; use a smaller file or a part of it, or a machine with more memory"),
        (RecursionError("deep"), "a value is nested too deeply; flatten it"),
        (EOFError(), "a file or stream ended too early; fetch or write it again"),
        (ValueError("embedded null byte"), "a name has a NUL character in it, which no file has; name another"),
    ],
)
def test_what_the_system_raises_is_one_line_with_what_to_do(error, line):
    assert str(told(error)) == line


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), TypeError("ours"), ValueError("ours")])
def test_interruptions_and_faults_of_our_own_are_not_told_as_somebody_elses(error):
    assert told(error) is None
