"""The function that `--agent` names: found, or why not, in one line."""

import functools

import pytest
from click.testing import CliRunner

from hansproof.command_line import command_line
from hansproof.generators.errors import UsageError
from hansproof.runs.asking import load_agent, name_of, whereabouts

MODULES = {
    "playing_agent": """
def reply(prompt):
    return "A"
class Agent:
    def reply(self, prompt):
        return "B"
agent = Agent()
class Moody:
    def __getattr__(self, name):
        raise RuntimeError("not today")
    def __call__(self, prompt):
        return "A"
moody = Moody()
size = 3
async def later(prompt):
    return "A"
""",
    "needs_a_package": "import no_such_package_at_all\n",
    "has_a_typo": "def reply(prompt:\n",
    "leaves": "raise SystemExit(3)\n",
}


@pytest.fixture(autouse=True)
def _there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))  # taken back after the test
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(__import__("sys").modules, name, raising=False)


def test_a_function_and_a_method_of_an_object_are_agents():
    assert load_agent("playing_agent:reply")("?") == "A"
    assert load_agent("playing_agent:agent.reply")("?") == "B"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("playing_agent", "--agent is 'playing_agent'; it must be module:function, such as playing_agent:reply"),
        ("playing_agent.py:reply", "must be module:function, such as playing_agent:reply"),
        ("./playing_agent:reply", "must be module:function, such as playing_agent:reply"),
        (":reply", "--agent: there is no module ''"),
        ("no_such_module:reply", "--agent: there is no module 'no_such_module' in the current folder, and none is"),
        ("playing_agent:repl", "playing_agent has no function 'repl'. Did you mean 'reply'? Known: reply, later"),
        ("playing_agent:agent.repl", "playing_agent has no function 'agent.repl'. None is known"),
        ("playing_agent:moody", "playing_agent: 'moody' cannot be looked up: RuntimeError: not today (playing_agent"),
        (
            "playing_agent:moody.reply",
            "playing_agent: 'moody.reply' cannot be looked up: RuntimeError: not today (playing_agent.py, line ",
        ),
        ("playing_agent:size", "playing_agent: 'size' is int, not a function from a text to a text"),
        ("playing_agent:later", "playing_agent: 'later' is asynchronous; wrap it"),
        (
            "needs_a_package:reply",
            "needs_a_package: cannot be imported: ModuleNotFoundError: No module named 'no_such_pa",
        ),
        ("has_a_typo:reply", "has_a_typo: cannot be imported: SyntaxError: '(' was never closed (has_a_typo.py, l"),
        ("leaves:reply", "leaves: cannot be imported: SystemExit: 3 (leaves.py, line 1)"),
    ],
)
def test_what_is_no_agent_is_said_in_one_line(name, message):
    with pytest.raises(UsageError) as refused:
        load_agent(name)
    assert message in str(refused.value)
    done = CliRunner().invoke(command_line(), ["run", "cognitive-tasks", "--agent", name, "--out", "x.jsonl"])
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)


def test_an_agent_has_a_name():
    assert name_of(whereabouts) == "hansproof.runs.asking:whereabouts"
    assert name_of(functools.partial(whereabouts)) == "partial"


def test_an_error_is_told_with_its_innermost_place():
    def inner():
        raise KeyError

    with pytest.raises(KeyError) as caught:
        inner()
    assert whereabouts(caught.value) == f"KeyError (test_agent.py, line {inner.__code__.co_firstlineno + 1})"
    assert whereabouts(ValueError("never raised")) == "ValueError: never raised"
