"""A run may stop at any point and go on; its file is always the beginning of what it will be."""

import json

import pytest

import hansproof
from hansproof.runs.journal import Journal
from hansproof.runs.turn import Rejected, Turn


class Stop(BaseException):
    """As Ctrl-C is: no Exception."""


def stopping(agent, after):
    calls = []

    def stops(prompt):
        calls.append(prompt)
        if len(calls) > after:
            raise Stop
        return agent(prompt)

    stops.__module__, stops.__qualname__ = agent.__module__, agent.__qualname__
    return stops


@pytest.fixture
def whole(there, agent):
    hansproof.run("toy-bandit", agent, out="whole.jsonl", count=3)
    return (there / "whole.jsonl").read_bytes()


@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_stopped_at_every_action_goes_on_to_the_same_bytes(whole, there, agent, workers):
    for after in range(24):  # 6 episodes of 4 actions
        with pytest.raises(Stop):
            hansproof.run("toy-bandit", stopping(agent, after), out="r.jsonl", count=3, workers=workers, resume=True)
        begun = (there / "r.jsonl").read_bytes() if (there / "r.jsonl").exists() else b""
        assert whole.startswith(begun)
        counted = []
        hansproof.run("toy-bandit", _counting(agent, counted), out="r.jsonl", count=3, workers=workers, resume=True)
        assert (there / "r.jsonl").read_bytes() == whole
        # Of several threads, each loses the action under way, and no more.
        assert 24 - after <= len(counted) <= 24 - after + workers - 1
        assert sorted(path.name for path in there.iterdir()) == ["r.jsonl", "whole.jsonl"]
        (there / "r.jsonl").unlink()


def _counting(agent, calls):
    def counts(prompt):
        calls.append(prompt)
        return agent(prompt)

    counts.__module__, counts.__qualname__ = agent.__module__, agent.__qualname__
    return counts


def test_what_is_complete_is_left_as_it_is(whole, there, agent):
    hansproof.run("toy-bandit", _refusing(agent), out="whole.jsonl", count=3, resume=True)
    assert (there / "whole.jsonl").read_bytes() == whole


def _refusing(agent):
    def refuses(prompt):
        pytest.fail("was asked")

    refuses.__module__, refuses.__qualname__ = agent.__module__, agent.__qualname__
    return refuses


def test_half_a_line_is_cut_off_and_played_again(whole, there, agent):
    lines = whole.splitlines(keepends=True)
    for cut in (1, len(lines[2]) // 2, len(lines[2]) - 1):
        (there / "r.jsonl").write_bytes(b"".join(lines[:2]) + lines[2][:cut])
        hansproof.run("toy-bandit", agent, out="r.jsonl", count=3, resume=True)
        assert (there / "r.jsonl").read_bytes() == whole


def test_half_a_record_of_the_journal_is_cut_off_and_that_action_asked_for_again(whole, there, agent):
    with pytest.raises(Stop):
        hansproof.run("toy-bandit", stopping(agent, 6), out="r.jsonl", count=3)
    journal = there / "r.jsonl.journal"
    assert [json.loads(line) for line in journal.read_text().splitlines()][1:] == [
        {"episode": place, "action": action, "retries": 0}
        for place, action in ((0, "A"), (0, "B"), (0, "A"), (0, "B"), (1, "A"), (1, "B"))
    ]
    journal.write_bytes(journal.read_bytes()[:-5])
    counted = []
    hansproof.run("toy-bandit", _counting(agent, counted), out="r.jsonl", count=3, resume=True)
    assert (len(counted), (there / "r.jsonl").read_bytes()) == (19, whole)


def test_an_episode_that_ended_by_what_was_said_stays_ended(there, agent):
    def silent(prompt):
        if "game 1:" in prompt:
            return "?"
        if "game 2:" in prompt:
            raise Stop
        return agent(prompt)

    silent.__module__, silent.__qualname__ = agent.__module__, agent.__qualname__
    with pytest.raises(Stop):
        hansproof.run("toy-bandit", silent, out="r.jsonl", subset="short", count=3, retries=1)
    (there / "r.jsonl").write_bytes((there / "r.jsonl").read_bytes().splitlines(keepends=True)[0])  # as if killed here
    runs = hansproof.run("toy-bandit", agent, out="r.jsonl", subset="short", count=3, retries=1, resume=True)
    assert [run.actions for run in runs] == [("A", "B", "A", "B"), (), ("A", "B", "A", "B")]
    assert (runs[1].retries, runs[1].unfinished) == (1, "no legal action in the last reply: names no choice")


def test_episodes_in_which_the_agent_failed_stay_open_after_an_outage(whole, there, agent):
    def broken(prompt):
        if prompt.count("won") == 2:
            raise OSError("no network")
        return agent(prompt)

    broken.__module__, broken.__qualname__ = agent.__module__, agent.__qualname__
    with pytest.raises(hansproof.InputError, match="failed in 6 episodes in a row"):
        hansproof.run("toy-bandit", broken, out="r.jsonl", count=3)
    assert (there / "r.jsonl").read_bytes() == b""
    counted = []
    hansproof.run("toy-bandit", _counting(agent, counted), out="r.jsonl", count=3, resume=True)
    assert (len(counted), (there / "r.jsonl").read_bytes()) == (12, whole)


def test_replies_are_kept_across_a_stop_byte_for_byte(there):
    def odd(prompt):
        return f"é\u2028\x00 \ud800 {'B' if prompt.count('won') % 2 else 'A'}"

    hansproof.run("toy-bandit", odd, out="whole.jsonl", count=1, keep_replies=True)
    with pytest.raises(Stop):
        hansproof.run("toy-bandit", stopping(odd, 3), out="r.jsonl", count=1, keep_replies=True)
    hansproof.run("toy-bandit", odd, out="r.jsonl", count=1, keep_replies=True, resume=True)
    assert (there / "r.jsonl").read_bytes() == (there / "whole.jsonl").read_bytes()
    line = json.loads((there / "r.jsonl").read_bytes().splitlines()[0])
    assert line["replies"] == [f"é\u2028\x00 ? {action}" for action in "ABAB"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 2}, r"was begun with other items than these 4 \(there were 6 others\)"),
        ({"seed": 8}, r"was begun with other items than these 6"),
        ({"subset": "short", "count": 6}, "was begun with other items than these 6"),
        ({"style": "direct"}, "was begun with style 'zero-shot', not 'direct'; pass the same"),
        ({"model": "gpt"}, "was begun with model '.*conftest:alternate', not 'gpt'"),
        ({"retries": 5}, "was begun with retries 2, not 5"),
        ({"keep_replies": True}, "was begun with keep_replies False, not True"),
    ],
)
def test_settings_that_contradict_a_run_are_refused_in_one_line(options, message, there, agent):
    with pytest.raises(Stop):
        hansproof.run("toy-bandit", stopping(agent, 2), out="r.jsonl", count=3)
    before = {path: path.read_bytes() for path in there.iterdir()}
    with pytest.raises(hansproof.InputError, match=f"^r.jsonl: {message}") as refused:
        hansproof.run("toy-bandit", agent, out="r.jsonl", resume=True, **{"count": 3} | options)
    assert "\n" not in str(refused.value)
    assert {path: path.read_bytes() for path in there.iterdir()} == before


def test_other_episodes_are_told_by_the_journal_though_some_are_finished(there, agent):
    with pytest.raises(Stop):
        hansproof.run("toy-bandit", stopping(agent, 6), out="r.jsonl", count=3)
    assert (there / "r.jsonl").read_bytes()
    for options, message in (
        (
            {"count": 2},
            r"was begun with other items .*\(for more episodes, write a second file with another --seed; hansproof",
        ),
        ({"style": "direct"}, "was begun with style 'zero-shot', not 'direct'"),
    ):
        with pytest.raises(hansproof.InputError, match=rf"^r\.jsonl: {message}"):
            hansproof.run("toy-bandit", agent, out="r.jsonl", resume=True, **{"count": 3} | options)


def test_the_journal_waits_for_the_disk_once_a_second_and_at_its_end(there, agent, monkeypatch):
    synced, now = [], [100.0]
    monkeypatch.setattr("hansproof.runs.journal.os.fsync", lambda file: synced.append(now[0]))
    monkeypatch.setattr("hansproof.runs.journal.monotonic", lambda: now[0])
    header = {"keep_replies": False, "episodes": 9, "retries": 2}
    journal = Journal(there / "j", header, lambda begun: None)
    journal.open()
    for _ in range(9):
        now[0] += 0.4
        journal.add(0, Turn("A", "A"))
    journal.close()
    assert synced == pytest.approx([100, 101.2, 102.4, 103.6, 103.6])


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"count": 2},
            r"line 1: is not the run of .* with these settings; name the same items, model, style and retries",
        ),
        ({"subset": "short"}, r"line 1: is not the run of .* with these settings"),
        ({"seed": 8}, r"line 1: is no run of 'toy-bandit/1.0.0/short/000000' as it is played now \(another seed"),
        (
            {"style": "direct"},
            r"line 1: is not the run of .* with these settings; name the same items, model, style and retries",
        ),
        ({"model": "gpt"}, r"line 1: is not the run of"),
        ({"retries": 5}, r"line 1: is not the run of"),
    ],
)
def test_a_complete_file_of_other_runs_is_refused_too(options, message, agent):
    with pytest.raises(hansproof.InputError, match=f"^whole.jsonl: {message}"):
        hansproof.run("toy-bandit", agent, out="whole.jsonl", resume=True, **{"count": 3} | options)


def test_a_file_in_the_way_is_left_alone_unless_it_is_to_be_resumed_or_begun_anew(whole, there, agent):
    with pytest.raises(hansproof.UsageError, match=r"whole.jsonl: exists; pass --resume .*, or --force"):
        hansproof.run("toy-bandit", agent, out="whole.jsonl", count=3)
    (there / "notes.txt").write_text("mine\n")
    with pytest.raises(hansproof.InputError, match=r"notes\.txt: line 1: is no run; pass --force"):
        hansproof.run("toy-bandit", agent, out="notes.txt", count=3, resume=True)
    assert (there / "notes.txt").read_text() == "mine\n"
    hansproof.run("toy-bandit", agent, out="whole.jsonl", count=1, force=True)
    assert len((there / "whole.jsonl").read_bytes().splitlines()) == 2


@pytest.mark.parametrize("text", ["[1]\n", "{\n", "\n", '{"items": 3}\n'])
def test_a_journal_that_is_none_is_refused(text, there, agent):
    (there / "r.jsonl.journal").write_text(text)
    with pytest.raises(hansproof.InputError, match=r"^r\.jsonl"):
        hansproof.run("toy-bandit", agent, out="r.jsonl", count=1, resume=True)
    assert (there / "r.jsonl.journal").read_text() == text


def test_a_full_disk_is_one_line_and_what_was_written_is_resumed(whole, there, agent, monkeypatch):
    room = [300]

    class Full:
        def __init__(self, file):
            self.file = file

        def write(self, data):
            part = data[: room[0]]
            room[0] -= len(part)
            if not part:
                raise OSError(28, "No space left on device")
            return self.file.write(part)

        def fileno(self):
            return self.file.fileno()

        def close(self):
            self.file.close()

    begin = Journal.open

    def wrapped(self):
        begin(self)
        self._file._file = Full(self._file._file)

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "open", wrapped)
        with pytest.raises(hansproof.InputError, match=r"r\.jsonl\.journal: cannot be written: .*(full|No space)"):
            hansproof.run("toy-bandit", agent, out="r.jsonl", count=3)
    hansproof.run("toy-bandit", agent, out="r.jsonl", count=3, resume=True)
    assert (there / "r.jsonl").read_bytes() == whole


def test_a_device_and_a_folder_are_refused(there, agent):
    for place in ("/dev/full", "/dev/null", "."):
        with pytest.raises(hansproof.UsageError, match=r"is not a regular file"):
            hansproof.run("toy-bandit", agent, out=place, count=1)
        with pytest.raises(hansproof.UsageError, match="is not a regular file"):
            hansproof.run("toy-bandit", agent, out=place, count=1, force=True)


def test_every_turn_is_on_the_disk_before_the_next_question(there, toy_bandit):
    seen = []

    def agent(prompt):
        journal = there / "r.jsonl.journal"
        seen.append(len(journal.read_bytes().splitlines()) - 1)
        return "A"

    hansproof.run("toy-bandit", agent, out="r.jsonl", subset="short", count=2)
    assert seen == list(range(8))


def test_a_journal_holds_a_turn_only_once_it_is_written(there, toy_bandit):
    header = {"keep_replies": False, "episodes": 1, "retries": 2}
    journal = Journal(there / "j", header, lambda begun: None)
    journal.open()
    journal.add(0, Turn("A", "A.", (Rejected(1, "?", "names no choice"),)))
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.add(0, Turn("A", "A"))
    again = Journal(there / "j", header, lambda begun: None)
    assert again.turns == {0: [Turn("A", "", (Rejected(1, "?", "names no choice"),))]}
