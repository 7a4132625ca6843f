"""Making many items: plans, shards, workers and files; the bytes are those of `make`, however the work is cut."""

import os
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from hansproof.generators import production, registry
from hansproof.generators.dataset import Dataset, Draft, Subset
from hansproof.generators.errors import HansproofError, InputError, UsageError
from hansproof.generators.jsonl import dump
from hansproof.generators.planted_cues.dataset import generate
from hansproof.generators.production import Stretch, lines, plan, private_seed, produce, shard, write
from hansproof.generators.registry import dataset

ROOT = Path(__file__).resolve().parents[2]
PLANTED = dataset("planted-cues")
CHILDREN = "/proc/{0}/task/{0}/children"


def counting(stream, subset, index):
    """The cheapest generator there is: for what is about cutting and not about items."""
    return Draft(f"Which is {index}?", None, str(index), "g", "c", {})


COUNTS = Dataset(
    name="counts",
    version="1.0.0",
    title="Counts",
    summary="Numbers.",
    seed=1,
    subsets={"wide": Subset(10, "endless"), "small": Subset(10, "few", limit=12), "last": Subset(5, "endless")},
    make=counting,
    check=lambda item: [],
)


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def counts(monkeypatch):
    """A dataset of plain numbers stands in the registry while a test runs."""
    monkeypatch.setattr(production, "registered", lambda name: COUNTS if name == "counts" else dataset(name))
    return COUNTS


def test_a_plan_takes_all_subsets_in_the_order_of_the_release():
    assert plan(PLANTED, (), 7, 5) == [Stretch(name, 0, 5) for name in PLANTED.subsets]
    assert plan(PLANTED, ("length", "none"), 7, 5, start=3) == [Stretch("length", 3, 8), Stretch("none", 3, 8)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), 7, 0), r"^the number of items must be at least 1, not 0$"),
        (((), 7, 5, -1), r"^the first index must be at least 0, not -1$"),
        (((), 7, 10**8 + 1, 0), r"^the number of items must be at most 100,000,000 per subset, not 100000001$"),
        (((), 7, 5, 10**12 + 1), r"^the first index must be at most 1,000,000,000,000 per subset, not 1000000000001$"),
        (((), 2**63, 5), r"^the seed 9223372036854775808 does not fit into 64 bits$"),
        (((), -(2**63) - 1, 5), r"does not fit into 64 bits$"),
        ((("nonne",), 7, 5), r"^counts has no subset 'nonne'\. Known: wide, small, last$"),
        ((("smal",), 7, 5), r"^counts has no subset 'smal'\. Did you mean 'small'\? Known: wide, small, last$"),
        ((("last", "wide", "last"), 7, 5), r"^subset 'last' is named twice"),
        ((("small",), 7, 13), r"^counts/small has only 12 different items, with .* below 12; you asked for 0 to 12"),
        ((("small",), 7, 1, 12), r"; you asked for 12 to 12$"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_one_line(arguments, message):
    with pytest.raises(UsageError, match=message):
        plan(COUNTS, *arguments)


def test_a_limited_subset_gives_all_it_has_unless_it_was_named():
    assert plan(COUNTS, (), 7, 20, start=5) == [Stretch("wide", 5, 25), Stretch("small", 5, 12), Stretch("last", 5, 25)]
    assert plan(COUNTS, (), 7, 20, start=12) == [Stretch("wide", 12, 32), Stretch("last", 12, 32)]
    assert plan(COUNTS, ("small",), 7, 12) == [Stretch("small", 0, 12)]


def test_shards_are_contiguous_and_their_sizes_differ_by_one_at_most():
    whole = [Stretch("wide", 0, 5), Stretch("last", 2, 7)]  # ten items
    assert shard(whole, 1, 3) == [Stretch("wide", 0, 3)]
    assert shard(whole, 2, 3) == [Stretch("wide", 3, 5), Stretch("last", 2, 3)]
    assert shard(whole, 3, 3) == [Stretch("last", 3, 7)]
    assert shard(whole, 1, 1) == whole
    assert [len(shard(whole, i, 20)) for i in range(1, 21)] == [0, 1] * 10


@pytest.mark.parametrize(("part", "parts"), [(0, 3), (4, 3), (-1, 3), (1, 0)])
def test_a_shard_that_does_not_exist_is_refused(part, parts):
    with pytest.raises(UsageError, match=rf"^there is no shard {part}/{parts}; shards run from 1/{parts} to"):
        shard([Stretch("wide", 0, 5)], part, parts)


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 40, 41, 100])
def test_all_shards_one_after_the_other_are_the_whole(counts, parts):
    whole = plan(counts, ("wide", "last"), 7, 20, start=3)
    cut = [b"".join(produce("counts", shard(whole, i, parts), 7, chunk=4)) for i in range(1, parts + 1)]
    assert b"".join(cut) == dump(COUNTS.item(name, 7, i) for name in ("wide", "last") for i in range(3, 23))


def test_the_lines_are_those_of_the_generator():
    made = b"".join(produce("planted-cues", plan(PLANTED, ("bigram", "none"), 7, 30, 5), 7, chunk=7))
    assert made == dump(generate("bigram", 7, 30, start=5)) + dump(generate("none", 7, 30, start=5))
    assert lines("planted-cues", Stretch("none", 4, 6), 7) == dump(generate("none", 7, 2, start=4))


@pytest.mark.parametrize("chunk", [1, 3, 20, 1000])
def test_where_it_is_cut_does_not_change_a_byte(counts, chunk):
    pieces = list(produce("counts", plan(counts, ("wide",), 7, 20), 7, chunk=chunk))
    assert [piece.count(b"\n") for piece in pieces] == [chunk] * (20 // chunk) + [20 % chunk] * (20 % chunk > 0)
    assert b"".join(pieces) == dump(COUNTS.item("wide", 7, i) for i in range(20))


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_give_the_same_bytes_in_the_same_order(workers):
    whole = plan(PLANTED, (), 7, 12)
    assert list(produce("planted-cues", whole, 7, workers, chunk=5)) == list(produce("planted-cues", whole, 7, chunk=5))


def test_workers_may_be_more_than_the_work():
    whole = plan(PLANTED, ("none",), 7, 6)
    assert b"".join(produce("planted-cues", whole, 7, 3, chunk=3)) == dump(generate("none", 7, 6))
    assert list(produce("planted-cues", [], 7, 4)) == []


def test_an_error_in_a_worker_is_the_callers_error():
    with pytest.raises(UsageError, match="the seed 1180591620717411303424 does not fit into 64 bits"):
        list(produce("planted-cues", [Stretch("none", 0, 4)], 2**70, 2, chunk=2))
    with pytest.raises(UsageError, match="planted-cues has no subset 'nonsense'"):
        list(produce("planted-cues", [Stretch("nonsense", 0, 4)], 7, 2, chunk=2))


def test_a_worker_that_dies_is_told_and_not_waited_for(monkeypatch):
    monkeypatch.setattr(production, "lines", os._exit)
    with pytest.raises(HansproofError, match="a worker process died"):
        list(production._parallel(iter([(1,), (1,)]), 2))


@pytest.mark.skipif(not Path(CHILDREN.format(os.getpid())).is_file(), reason="needs /proc to find the workers")
def test_workers_end_with_a_parent_that_is_killed():
    script = """
from hansproof.generators.production import Stretch, produce
if __name__ == "__main__":
    for piece in produce("planted-cues", [Stretch("none", 0, 10**6)], 7, 2, chunk=2):
        print("made", flush=True)
"""
    command = [sys.executable, "-c", script]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout.readline() == b"made\n"
        workers = Path(CHILDREN.format(parent.pid)).read_text().split()
        parent.kill()
    assert len(workers) >= 2
    deadline = time.monotonic() + 120
    while any(running(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [worker for worker in workers if running(worker)] == []


def running(process):
    """Whether a process is at work; one that has ended and waits to be buried is not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_reader_that_has_enough_stops_the_work(counts):
    made = []
    COUNTED = Dataset(**{**vars(counts), "make": lambda *key: made.append(key) or counting(*key)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(production, "registered", lambda name: COUNTED)
        pieces = produce("counts", [Stretch("wide", 0, 10**12)], 7, chunk=10)
        next(pieces)
        pieces.close()
    assert len(made) == 10
    parallel = produce("planted-cues", [Stretch("none", 0, 10**6)], 7, 2, chunk=2)
    assert next(parallel) == dump(generate("none", 7, 2))
    parallel.close()


def test_an_unknown_dataset_or_no_worker_is_told_at_once():
    with pytest.raises(UsageError, match=r"Did you mean 'planted-cues'\?"):
        produce("planted-cue", [], 7)
    with pytest.raises(UsageError, match="workers and chunk must be at least 1, not 0 and 250"):
        produce("planted-cues", [], 7, workers=0)
    with pytest.raises(UsageError, match="not 1 and 0"):
        produce("planted-cues", [], 7, chunk=0)


def test_private_seeds_are_new_each_time_and_exact_in_every_reader_of_json():
    seeds = {private_seed() for _ in range(200)}
    assert len(seeds) == 200
    assert all(0 <= seed < 2**53 and int(float(seed)) == seed for seed in seeds)
    assert max(seeds) > 2**50  # the high bits are drawn too: below this with chance 2**-600


def test_a_file_is_streamed_and_described(tmp_path):
    written = write(tmp_path / "a.jsonl", iter([b"1\n2\n", b"3\n"]))
    assert (tmp_path / "a.jsonl").read_bytes() == b"1\n2\n3\n"
    assert (written.rows, written.size, written.sha256) == (3, 6, sha256(b"1\n2\n3\n").hexdigest())
    assert names(tmp_path) == ["a.jsonl"]


def test_nothing_stands_under_the_name_before_the_last_piece_and_nothing_is_left_after_a_failure(tmp_path):
    path = tmp_path / "a.jsonl"

    def pieces():
        yield b"1\n"
        assert not path.exists()
        assert len(names(tmp_path)) == 1
        raise InputError("the second piece fails")

    with pytest.raises(InputError, match="the second piece fails"):
        write(path, pieces())
    assert names(tmp_path) == []


def test_a_file_is_never_overwritten_unasked(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"old\n")
    asked = []
    with pytest.raises(InputError, match=r"a\.jsonl: exists; remove it, name another file, or ask to overwrite it$"):
        write(path, (asked.append(i) or b"new\n" for i in range(3)))
    assert (path.read_bytes(), asked) == (b"old\n", [])
    write(path, [b"new\n"], overwrite=True)
    assert path.read_bytes() == b"new\n"


def test_a_file_that_came_up_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "a.jsonl"

    def pieces():
        yield b"new\n"
        path.write_bytes(b"somebody else's\n")

    with pytest.raises(InputError, match="exists; remove it"):
        write(path, pieces())
    assert path.read_bytes() == b"somebody else's\n"
    assert names(tmp_path) == ["a.jsonl"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(InputError, match=r"no/a\.jsonl: cannot be written: No such file or directory$"):
        write(tmp_path / "no" / "a.jsonl", [b"1\n"])
    with pytest.raises(InputError, match=r"is a folder; name a file in it$"):
        write(tmp_path, [b"1\n"], overwrite=True)


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="needs /proc to read a process's peak of memory")
def test_ten_times_the_items_take_no_more_memory(tmp_path):
    script = """
import sys
from pathlib import Path
from hansproof.generators import production
from hansproof.generators.production import Stretch, produce, write
sys.path.insert(0, sys.argv[2])
piece = b"x" * 999 + b"\\n"
production.lines = lambda name, one, seed: piece * (one.stop - one.start)
write(sys.argv[1], produce("planted-cues", [Stretch("none", 0, int(sys.argv[3]))], 7))
status = Path("/proc/self/status").read_text()
print(next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")))
"""
    peaks = []
    for count in (5_000, 50_000):
        command = [sys.executable, "-c", script, str(tmp_path / f"{count}"), str(ROOT), str(count)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        peaks.append(int(done.stdout))
    assert (tmp_path / "50000").stat().st_size == 50_000_000
    assert peaks[1] - peaks[0] < 5_000  # kilobytes; the file grew by 45,000


def test_the_registry_itself_was_not_touched():
    assert "counts" not in registry.MODULES
