"""Files that a run must not touch: inputs, and whatever is not its own."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from click.testing import CliRunner
from filelock import FileLock

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump


@pytest.fixture
def items(there, toy_bandit):
    (there / "games.jsonl").write_bytes(dump(toy_bandit.item("short", 7, index) for index in range(3)))
    return there / "games.jsonl"


@pytest.mark.parametrize("text", ['{"precious": 1}', "line 1\nline 2\nprecious", "precious", "\x00\x00"])
@pytest.mark.parametrize("name", ["notes.txt", "notes.txt.journal"])
def test_resume_leaves_a_file_that_is_no_run_as_it_is(name, text, there, agent):
    (there / name).write_text(text)
    with pytest.raises(hansproof.InputError, match=rf"^{name}: line 1"):
        hansproof.run("toy-bandit", agent, out="notes.txt", count=3, resume=True)
    assert (there / name).read_text() == text
    assert [path.name for path in there.iterdir()] == [name]


@pytest.mark.parametrize(
    "text", ['{"precious": 1}\n', '{"journal_of": "other.jsonl"}\n', "[1]\n", "precious", "[" * 9000]
)
def test_force_leaves_a_journal_that_is_not_its_own(text, there, agent):
    (there / "r.jsonl").write_text("old\n")
    (there / "r.jsonl.journal").write_text(text)
    with pytest.raises(hansproof.UsageError, match=r"^r\.jsonl\.journal: is no journal of r\.jsonl, and --force would"):
        hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, force=True)
    assert ((there / "r.jsonl").read_text(), (there / "r.jsonl.journal").read_text()) == ("old\n", text)


def test_force_leaves_what_is_no_file_in_the_place_of_its_journal(there, agent):
    os.mkfifo("r.jsonl.journal")  # which blocks whoever opens it
    with pytest.raises(hansproof.UsageError, match=r"is no journal of r\.jsonl"):
        hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, force=True)
    assert (there / "r.jsonl.journal").is_fifo()


def test_force_removes_the_journal_of_a_run_that_was_stopped(there, agent):
    def stops(prompt):
        raise KeyboardInterrupt

    begun = []

    def looks(prompt):
        begun.append((there / "r.jsonl.journal").read_bytes().count(b"\n"))
        raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            hansproof.run("toy-bandit", lambda prompt: "A" if "won" not in prompt else stops(prompt), out="r.jsonl",
                          count=1, force=True)  # fmt: skip
    assert (there / "r.jsonl.journal").read_bytes().count(b"\n") == 2
    with pytest.raises(KeyboardInterrupt):
        hansproof.run("toy-bandit", looks, out="r.jsonl", count=1, force=True)
    assert begun == [1]
    (there / "r.jsonl.journal").write_bytes(b"")
    hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, force=True)
    assert [path.name for path in there.iterdir()] == ["r.jsonl"]


def test_resume_cuts_off_only_the_beginning_of_the_very_next_run(there, agent):
    hansproof.run("toy-bandit", agent, out="r.jsonl", count=1)
    whole = (there / "r.jsonl").read_bytes()
    first, second = whole.splitlines(keepends=True)
    for tail in (b'{"precious": 1}', first[:-1], second.replace(b"bandit", b"fandit")[:-1]):
        (there / "r.jsonl").write_bytes(first + tail)
        with pytest.raises(hansproof.InputError, match=r"^r.jsonl: line 2: is not the beginning of a line of this run"):
            hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, resume=True)
        assert (there / "r.jsonl").read_bytes() == first + tail
    (there / "r.jsonl").write_bytes(whole + b"precious")
    with pytest.raises(hansproof.InputError, match=r"^r.jsonl: line 3: is one too many for these 2 items"):
        hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, resume=True)
    assert (there / "r.jsonl").read_bytes() == whole + b"precious"


def test_a_file_of_runs_is_not_cut_where_the_journal_is_of_another_run(there, agent):
    hansproof.run("toy-bandit", agent, out="r.jsonl", count=1)
    half = (there / "r.jsonl").read_bytes()[:-5]
    (there / "r.jsonl").write_bytes(half)
    (there / "r.jsonl.journal").write_text('{"items": "0"}\n')
    with pytest.raises(hansproof.InputError, match="was begun with other items"):
        hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, resume=True)
    assert (there / "r.jsonl").read_bytes() == half


@pytest.mark.parametrize("options", [{"force": True}, {"resume": True}, {}])
@pytest.mark.parametrize(
    ("source", "out", "refused"),
    [
        ("games.jsonl", "games.jsonl", "games.jsonl: is an input"),
        ("games.jsonl", "again.jsonl", "games.jsonl: is an input"),
        ("x.jsonl.journal", "x.jsonl", "x.jsonl.journal: is an input"),
        ("x.jsonl.journal", "link.jsonl", "x.jsonl.journal: is an input"),
        ("release", "release/runs.jsonl", "release/runs.jsonl: is inside an input"),
    ],
)
def test_inputs_are_never_written(source, out, refused, options, items, there, agent):
    before = items.read_bytes()
    (there / "x.jsonl.journal").write_bytes(before)
    (there / "again.jsonl").symlink_to("games.jsonl")
    (there / "link.jsonl").symlink_to("x.jsonl")
    (there / "release").mkdir()
    (there / "release" / "short.jsonl").write_bytes(before)
    names = sorted(there.iterdir())
    with pytest.raises(hansproof.UsageError, match=f"^{there}/{refused}|^{refused}"):
        hansproof.run(source, agent, out=out, **options)
    assert sorted(there.iterdir()) == names
    assert (there / source).is_dir() or (there / source).read_bytes() == before


@pytest.mark.parametrize("options", [{"workers": 0}, {"style": "answer-first"}, {"style": "nope"}, {"retries": -1}])
def test_a_run_that_cannot_begin_removes_nothing(options, there, agent):
    (there / "r.jsonl").write_text("mine\n")
    with pytest.raises(hansproof.UsageError, match=r"style|workers|retries"):
        hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, force=True, **options)
    assert (there / "r.jsonl").read_text() == "mine\n"


def test_a_run_has_one_journal_and_one_lock_whatever_it_is_called(there, agent):
    (there / "link.jsonl").symlink_to("real.jsonl")
    seen = []

    def looking(prompt):
        seen.append({path.name for path in there.iterdir()})
        return agent(prompt)

    hansproof.run("toy-bandit", looking, out="link.jsonl", count=1)
    assert seen[0] == {"link.jsonl", "real.jsonl", "real.jsonl.journal", ".real.jsonl.lock"}
    assert (there / "link.jsonl").is_symlink()
    os.link("real.jsonl", "hard.jsonl")
    with pytest.raises(hansproof.UsageError, match=r"^hard.jsonl: is one file under several names \(hard links\)"):
        hansproof.run("toy-bandit", agent, out="hard.jsonl", count=1, resume=True)


def started_while_another_run_has_the_lock(there, agent, **options):
    """Start a run while `r.jsonl` is locked; what the other run leaves appears before the lock is released."""
    with ThreadPoolExecutor(1) as pool:
        with FileLock(there / ".r.jsonl.lock"):
            begun = pool.submit(hansproof.run, "toy-bandit", agent, out="r.jsonl", count=1, **options)
            assert wait([begun], timeout=0.5).not_done  # it waits
            (there / "r.jsonl").write_text("theirs\n")
        return begun.result(30)


def test_what_another_run_wrote_while_one_waited_is_in_the_way(there, agent):
    with pytest.raises(hansproof.UsageError, match=r"^r\.jsonl: exists; pass --resume"):
        started_while_another_run_has_the_lock(there, agent)
    assert (there / "r.jsonl").read_text() == "theirs\n"


def test_force_begins_anew_also_after_it_has_waited(there, agent):
    started_while_another_run_has_the_lock(there, agent, force=True)
    assert (there / "r.jsonl").read_text().startswith('{"id": "toy-bandit')


def test_a_run_is_not_written_over_the_code_that_plays_it(items, there, monkeypatch):
    (there / "own_helper.py").write_text("ANSWER = 'A'\n")
    (there / "own_agent.py").write_text("from own_helper import ANSWER\nreply = lambda prompt: ANSWER\n")
    monkeypatch.setattr(sys, "path", [*sys.path])
    for module in ("own_agent", "own_helper"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    for out in ("own_agent.py", "own_helper.py"):
        before = (there / out).read_bytes()
        run = ["run", "games.jsonl", "--agent", "own_agent:reply", "--out", out, "--force"]
        done = CliRunner().invoke(command_line(), run)
        assert (done.exit_code, done.stderr) == (2, f"error: {out}: is an input of this command; name another file\n")
        assert (there / out).read_bytes() == before
