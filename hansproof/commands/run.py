"""`hansproof run`: a function of yours, or a baseline agent, plays; standard output is data, standard error talk."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from hansproof.commands.options import examples
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import STDOUT, check_output, write_output
from hansproof.terminal.streams import emit, tell

if TYPE_CHECKING:
    from hansproof.runs.turn import Run

__all__ = ["run"]

_EPILOG = examples("run")


@click.command(epilog=_EPILOG)
@click.argument("source", metavar="[SOURCE]", required=False)
@click.option("--agent", required=True, metavar="MODULE:FUNCTION|NAME",
              help="The function that replies to prompts, or a baseline that needs no model: random, ...")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=NUMBER", help="A parameter of a baseline. Repeatable.")
@click.option("--agent-seed", default=0, show_default=True, help="Seed of a baseline's own draws.")
@click.option("-s", "--subset", "subsets", multiple=True, metavar="SUBSET",
              help="Only this subset; repeat the option for several.")  # fmt: skip
@click.option("--all-stories", is_flag=True,
              help="Without --subset: play every story of a task, not the standard one alone.")  # fmt: skip
@click.option("-n", "--count", type=int, metavar="N", help="Episodes of each subset. Default: all of its release.")
@click.option("--seed", type=int, help="Fresh episodes of a dataset: any 64-bit integer.")
@click.option("--style", default="zero-shot", show_default=True, metavar="NAME",
              help="Prompt style. A name that does not suit is answered with those that do.")  # fmt: skip
@click.option("--model", metavar="NAME", help="What the runs are filed under. Default: the agent.")
@click.option(
    "--retries", default=2, show_default=True, help="How often to ask again after a reply that cannot be read."
)
@click.option("--workers", default=1, show_default=True, help="Episodes played at the same time.")
@click.option("--keep-replies", is_flag=True, help="Also write replies that were used.")
@click.option("--accept-failures", is_flag=True, help="Write episodes in which the agent failed as unfinished.")
@click.option("-o", "--out", required=True, metavar="FILE", help="Write finished runs to FILE; - for standard output.")
@click.option("--resume", is_flag=True, help="Go on with FILE where it stands.")
@click.option("--force", is_flag=True, help="Begin FILE anew if it exists.")
@click.pass_context
def run(context: click.Context, /, source: str | None, agent: str, out: str, **given: Any) -> None:
    """Let an agent play the episodes of SOURCE, turn by turn, and write the runs to FILE."""
    named = {param.name: param.opts[-1] for param in context.command.params}
    chosen = [name for name in named if context.get_parameter_source(name or "") is ParameterSource.COMMANDLINE]
    baseline = ":" not in agent
    if strange := [named[name] for name in chosen if name in (_OF_FUNCTIONS if baseline else _OF_BASELINES)]:
        whose = "a function of yours, and --agent names a baseline" if baseline else "a baseline, not for a function"
        raise UsageError(f"is for {whose}", strange[0])
    if baseline:
        _simulated(source, agent, out, given)
    elif source is None:
        raise UsageError("a function needs the SOURCE that it plays: a dataset, a release folder or a file of items")
    else:
        _asked(source, agent, out, **{name: value for name, value in given.items() if name not in _OF_BASELINES})


def _asked(
    source: str, agent: str, out: str, *, subsets: tuple[str, ...], model: str | None, resume: bool, **options: Any
) -> None:
    """Let a function of the user's play."""
    from hansproof.api import run as played
    from hansproof.runs.asking import load_agent, whereabouts
    from hansproof.terminal.streams import lines_on_stderr

    function = load_agent(agent)
    if out == STDOUT and resume:
        raise UsageError("--resume goes on with a file, which standard output is not; name one")
    try:
        with _place(out) as file, lines_on_stderr() as (progress, line):
            runs = played(
                source,
                function,
                out=file,
                subset=subsets,
                model=agent if model is None else model,
                resume=resume,
                progress=progress,
                announce=lambda sentence: line(f"{out}: {sentence}"),
                **options,
            )
    except KeyboardInterrupt:
        tell(f"{out}: stopped; the same command with --resume goes on")
        raise
    except Exception:
        raise
    except BaseException as error:  # the agent's own; nothing else raises what is no Exception
        raise UsageError(
            f"the agent raised {whereabouts(error)}, which ends a run at once; the same command with --resume goes on",
            out,
        ) from error
    tell(f"{out}: {_summary(runs)}")
    unfinished = [run for run in runs if run.unfinished]
    if len(unfinished) > _BEARABLE * len(runs):
        tell(f"warning: {_warning(unfinished, len(runs))}")
    if len(unfinished) == len(runs):
        sys.exit(1)


_OF_BASELINES = ("settings", "agent_seed")
_OF_FUNCTIONS = ("style", "retries", "workers", "keep_replies", "accept_failures", "resume")


def _simulated(source: str | None, agent: str, out: str, given: dict[str, Any]) -> None:
    """Let a baseline play; without a source, the release of the dataset that has it."""
    from hansproof.generators.dataset import check_seed
    from hansproof.runs.book import Settings
    from hansproof.runs.games import games
    from hansproof.runs.playing import STYLE, family_with, simulate
    from hansproof.terminal.streams import on_stderr

    check_output(out, force=given["force"], inputs=(source,) if source else ())
    check_seed(given["agent_seed"])
    parameters = dict(_parameter(text) for text in given["settings"])
    named = family_with(agent) if source is None else source
    chosen = games(named, given["subsets"], given["count"], given["seed"], variants=given["all_stories"])
    called = Settings(agent, given["model"] or " ".join((agent, *given["settings"]))).model
    with on_stderr() as progress:
        runs, declined = simulate(chosen, agent, parameters, given["agent_seed"], progress)
    played = games([run.item for run in runs])
    data = b"".join(run.line(called, STYLE, played.digest) for run in runs)
    write_output(out, data, force=given["force"])
    if out != STDOUT:
        tell(f"{out}: {_summary(runs)}")
    for sentence in declined:
        tell(f"note: {sentence}")


def _parameter(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name or not math.isfinite(value):
        raise UsageError(f"--set is {text!r}; it must be NAME=NUMBER, such as beta=4")
    return name.strip(), value


@contextmanager
def _place(out: str) -> Iterator[str]:
    """The file to write to; for `-`, one that is printed in the end, also after an interruption."""
    if out != STDOUT:
        yield out
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / "runs.jsonl"
        try:
            yield str(file)
        finally:
            if file.exists():
                emit(file.read_bytes())


_BEARABLE = 0.05
"""The share of unfinished episodes that needs no warning."""


def _summary(runs: Sequence[Run]) -> str:
    actions = sum(len(run.actions) for run in runs)
    text = f"{len(runs):,} episodes, {actions:,} actions"
    if again := sum(run.retries for run in runs):
        text += f"; asked again {again:,} times"
    if unfinished := [run for run in runs if run.unfinished]:
        text += f"; {len(unfinished):,} unfinished, the first: {unfinished[0].item.id}: {unfinished[0].unfinished}"
    return text


def _warning(unfinished: Sequence[Run], many: int) -> str:
    raised = all(run.unfinished.startswith("the agent ") for run in unfinished)
    why = "your agent failed" if raised else "your agent's replies could not be read"
    first = unfinished[0].unfinished
    return (
        f"{len(unfinished):,} of {many:,} episodes are unfinished ({len(unfinished) / many:.0%}): {why}. First: {first}"
    )
