"""inspect_ai: logs as JSON and as zip archives, and its data sets."""

import io
import json
import struct
import zipfile

import pytest
import zstandard

from hansproof.audit.harnesses import inspect_ai
from hansproof.audit.reading.loading import load
from hansproof.generators.errors import InputError

N = 40
COLOURS = ["red", "blue", "green"]


def asked(n, epoch=1, **more):
    return {"id": f"s-{n}", "epoch": epoch, "input": f"item {n}", "target": ("yes", "no")[n % 2], "events": [1], **more}


def chosen(n, **more):
    return {**asked(n), "choices": COLOURS[n % 3 :] + COLOURS[: n % 3], "target": "ABC"[n % 3], **more}


def archive(tmp_path, members, compression=zipfile.ZIP_DEFLATED, name="log.eval"):
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", compression) as file:
        for member, value in members:
            file.writestr(member, value if isinstance(value, (str, bytes)) else json.dumps(value))
    return path


def header(task="colours"):
    return "header.json", {"version": 2, "eval": {"task": task}}


def members_of(samples):
    return [(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample) for sample in samples]


def zstandard_archive(tmp_path, members):
    """A zip whose members are Zstandard frames (method 93), as inspect writes them and `zipfile` cannot."""
    path = archive(tmp_path, [(name, zstandard.compress(json.dumps(value).encode())) for name, value in members], 0)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as file:
        entries = {info.filename: info for info in file.infolist()}
    at = data.find(b"PK\x01\x02")
    for name, value in members:
        plain = json.dumps(value).encode()
        info = entries[name]
        for start, offset in ((info.header_offset, 8), (at, 10)):  # method, then CRC and sizes six bytes later
            struct.pack_into("<H", data, start + offset, 93)
            packed = zstandard.compress(plain)
            struct.pack_into("<LLL", data, start + offset + 6, zipfile.crc32(plain), len(packed), len(plain))
        at = data.find(b"PK\x01\x02", at + 4)
    path.write_bytes(bytes(data))
    return path


def test_a_json_log_gives_the_first_epoch_of_each_sample_that_is_there(tmp_path):
    samples = [asked(n, epoch) for epoch in (2, 1) for n in range(N)]
    samples.remove(asked(7, 1))  # its first epoch failed
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {"task": "evens"}, "samples": samples}), encoding="utf-8")
    benchmark = load(path)
    assert sorted(benchmark.ids) == sorted(f"s-{n}" for n in range(N))
    assert benchmark.name == "evens (log)"


@pytest.mark.parametrize("write", [archive, zstandard_archive])
def test_an_eval_archive_is_read_whatever_its_compression(tmp_path, write):
    samples = [chosen(n, epoch=epoch) for epoch in (1, 2) for n in range(N)]
    benchmark = load(write(tmp_path, [header(), *members_of(samples)]))
    assert (benchmark.mapping.format, benchmark.name) == ("inspect_ai log", "colours (log)")
    assert benchmark.ids == [f"s-{n}" for n in range(N)]
    assert benchmark.answers == [benchmark.choices[n][n % 3] for n in range(N)]


def test_long_texts_are_put_back_from_the_attachments(tmp_path):
    samples = [
        {**asked(n), "input": [{"role": "user", "content": "attachment://h"}], "attachments": {"h": f"item {n}"}}
        for n in range(N)
    ]
    benchmark = load(archive(tmp_path, [header(), *members_of(samples)]))
    assert benchmark.prompts == [f"item {n}" for n in range(N)]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([("xl/workbook.xml", "<x/>")], "this is a zip archive"),
        ([header()], "a log without samples|inspect_ai log without samples"),
        ([header(), ("samples/../../x_epoch_1.json", asked(1))], "leads out of the archive"),
        ([header(), ("/etc/x", "x"), *members_of([asked(1)])], "leads out of the archive"),
        ([header(), ("C:\\x", "x"), *members_of([asked(1)])], "leads out of the archive"),
        ([header(), ("samples/a_epoch_1.json", "[1]")], "not a JSON object"),
        ([header(), ("samples/a_epoch_1.json", "{broken")], "line 1 column 2: broken JSON"),
        ([header(), ("samples/a_epoch_1.json", b'{"input": "\xff"}')], "a_epoch_1.json: byte 12 is not UTF-8"),
    ],
)
def test_an_archive_that_is_no_log_is_refused_in_one_line(tmp_path, members, message):
    with pytest.raises(InputError, match=message):
        load(archive(tmp_path, members))


def test_an_archive_that_unpacks_to_too_much_is_stopped_while_it_unpacks(tmp_path, monkeypatch):
    monkeypatch.setattr(inspect_ai.content, "LIMIT", 100_000)
    huge = {**asked(1), "store": "x" * 50_000_000}
    path = archive(tmp_path, [header(), *members_of([huge])])
    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match=r"samples/s-1_epoch_1.json: the log unpacks to more than 100,000 bytes"):
        load(path)
    monkeypatch.setattr("hansproof.audit.formats.content.LIMIT", 20_000)
    many = [asked(n, store="x" * 900) for n in range(N)]
    with pytest.raises(InputError, match=r"the log unpacks to more than 20,000 bytes"):
        load(archive(tmp_path, [header(), *members_of(many)]))


def test_a_damaged_archive_is_refused(tmp_path):
    path = archive(tmp_path, [header(), *members_of([asked(n) for n in range(N)])])
    data = bytearray(path.read_bytes())
    data[200] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"damaged|broken"):
        load(path)
    path.write_bytes(bytes(data[: len(data) // 2]))
    with pytest.raises(
        InputError, match=r"a truncated or damaged inspect_ai log \(its directory.* is missing or broken"
    ):
        load(path)


def test_what_is_left_of_a_log_is_called_one_whatever_its_name(tmp_path):
    members = [
        ("_journal/start.json", {"version": 2, "eval": {"task": "t"}}),
        *members_of([asked(n) for n in range(N)]),
    ]
    data = archive(tmp_path, members).read_bytes()
    for name, kept, message in (
        ("log.eval", data[:3000], "truncated or damaged inspect_ai log"),
        ("log.bin", data[:3000], "truncated or damaged inspect_ai log"),
        ("book.xlsx", b"PK\x03\x04" + bytes(3000), "this is a zip archive"),
        ("log.eval", data[:4], "truncated or damaged inspect_ai log"),
    ):
        (tmp_path / name).write_bytes(kept)
        with pytest.raises(InputError, match=message):
            load(tmp_path / name)
    headless = archive(tmp_path, members[1:], name="headless.eval")
    with pytest.raises(InputError, match=r"damaged inspect_ai log \(its directory.* lists no header"):
        load(headless)


def test_an_audit_says_that_the_run_of_a_log_did_not_end_and_counts_all_epochs(tmp_path):
    samples = [asked(n, epoch) for epoch in (1, 2) for n in range(N)]
    evaluation = {"task": "t", "dataset": {"samples": 50, "sample_ids": [*range(45)]}, "config": {"epochs": 2}}
    start = ("_journal/start.json", {"version": 2, "eval": evaluation})
    part = "the run was to ask 45 of the 50 samples of its data set"
    assert load(archive(tmp_path, [start, *members_of(samples)])).notes == (
        "the run did not end: its status is 'started'; 80 of the 90 samples that it was to ask are in the log",
        part,
    )
    ended = ("header.json", {"version": 2, "status": "success", "eval": evaluation})
    whole = load(archive(tmp_path, [start, *members_of(samples), ended]))
    assert whole.notes == ("80 of the 90 samples that it was to ask are in the log", part)


def dataset(tmp_path, rows):
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return load(path)


def chunked(n, epoch=1, **more):
    """The members of a sample in a folder of its own, as newer versions write it."""
    folder = f"samples/s-{n}_epoch_{epoch}"
    shell = {**asked(n, epoch), "input": "attachment://7", "message_refs": [[0, 2]], **more}
    return [
        (f"{folder}/sample.json", shell),
        (f"{folder}/metadata.json", {"story": f"t{n // 2}"}),
        (f"{folder}/skeleton.json", {}),
        (f"{folder}/messages/0.json", [{"role": "user", "content": "attachment://7"}]),
        (f"{folder}/attachments/0.json", [f"part {place}" for place in range(5)]),
        (f"{folder}/attachments/5.json", ["a", "b", f"a long text {n}"]),
        (f"{folder}/attachments/8.json", "{ not read: nothing refers to it"),
    ]


def test_chunked_samples_are_read_like_whole_ones_and_beside_them(tmp_path):
    members = [header(), *(member for n in range(0, N, 2) for member in chunked(n))]
    members += members_of(asked(n) for n in range(1, N, 2))
    members += [member for n in (0, 2) for member in chunked(n, epoch=2, input="another epoch")]
    benchmark = load(archive(tmp_path, members))
    assert len(benchmark.prompts) == N
    texts = dict(zip(benchmark.ids, benchmark.prompts))
    assert (texts["s-0"], texts["s-1"], texts["s-2"]) == ("a long text 0", "item 1", "a long text 2")
    assert benchmark.mapping.format == "inspect_ai log"


def test_a_chunked_sample_whose_long_text_is_missing_or_huge_is_no_crash(tmp_path, monkeypatch):
    members = [header(), *(member for n in range(N) for member in chunked(n)[:2])]
    assert load(archive(tmp_path, members)).prompts[0] == "attachment://7"
    members = [header(), *(member for n in range(N) for member in chunked(n))]
    members[6] = members[6][0], ["a", "b", "z" * 1_000_000]
    path = archive(tmp_path, members)
    monkeypatch.setattr(inspect_ai.content, "LIMIT", path.stat().st_size)
    with pytest.raises(InputError, match="unpacks to more than"):
        load(path)


def test_the_samples_of_a_data_set_have_letters_for_targets(tmp_path):
    rows = [{"input": f"item {n}", "choices": COLOURS, "target": "ABC"[n % 3], "id": n} for n in range(N)]
    benchmark = dataset(tmp_path, rows)
    assert benchmark.mapping.format == "inspect_ai samples"
    assert benchmark.answers == [COLOURS[n % 3] for n in range(N)]
    several = dataset(tmp_path, [{**row, "target": ["A", "C"]} if n % 2 else row for n, row in enumerate(rows)])
    assert several.answers[1] == "red"


def test_targets_that_are_options_themselves_stay_as_they_are(tmp_path):
    rows = [{"input": f"item {n}", "choices": ["B", "A"], "target": "AB"[n % 2]} for n in range(N)]
    assert dataset(tmp_path, rows).answers == ["AB"[n % 2] for n in range(N)]
    rows = [{"input": f"item {n}", "choices": COLOURS, "target": COLOURS[n % 3]} for n in range(N)]
    assert dataset(tmp_path, rows).answers == [COLOURS[n % 3] for n in range(N)]


def test_an_ordinary_file_with_an_input_and_a_target_stays_what_it_is(tmp_path):
    rows = [{"input": f"item {n}", "target": ("yes", "no")[n % 2]} for n in range(N)]
    assert dataset(tmp_path, rows).mapping.format == "JSONL"
    assert dataset(tmp_path, [{**row, "choices": COLOURS, "topic": "x"} for row in rows]).mapping.format == "JSONL"
