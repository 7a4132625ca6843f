"""`hansproof simulate`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

import math

import click

from hansproof.generators.errors import UsageError
from hansproof.terminal.streams import tell

__all__ = ["simulate"]

_EPILOG = """\b
Examples:
  hansproof simulate random --out random.jsonl
  hansproof simulate rescorla-wagner --set alpha_plus=0.3 --set beta=4 --subset horizon --out learner.jsonl
  hansproof simulate bayes-optimal games.jsonl --out best.jsonl
  hansproof simulate win-stay-lose-shift cognitive-tasks --seed 7 -n 20 --out fresh.jsonl

\b
`hansproof list cognitive-tasks` shows the agents and their parameters. They see the same as a model does, as
numbers. An agent plays the same in every cover story of a task. SOURCE and FILE are those of `hansproof run`;
without SOURCE, it is the release of the dataset that has this agent.
"""


@click.command(short_help="Let a baseline agent play episodes.", epilog=_EPILOG)
@click.argument("agent", metavar="AGENT")
@click.argument("source", metavar="[SOURCE]", required=False)
@click.option("--set", "settings", multiple=True, metavar="NAME=NUMBER", help="A parameter of the agent. Repeatable.")
@click.option("-s", "--subset", "subsets", multiple=True, metavar="SUBSET",
              help="Only this subset; repeat the option for several. Default: all that AGENT plays.")  # fmt: skip
@click.option("--all-stories", is_flag=True,
              help="Without --subset: play every story of a task, not the standard one alone.")  # fmt: skip
@click.option("-n", "--count", type=int, metavar="N", help="Episodes of each subset. Default: all of its release.")
@click.option("--seed", type=int, help="Fresh episodes of a dataset: any 64-bit integer.")
@click.option("--agent-seed", default=0, show_default=True, help="Seed of the agent's own draws.")
@click.option("--model", metavar="NAME", help="What the runs are filed under. Default: AGENT and its --set.")
@click.option("-o", "--out", metavar="FILE", help="Write to FILE instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def simulate(
    agent: str,
    source: str | None,
    settings: tuple[str, ...],
    subsets: tuple[str, ...],
    all_stories: bool,
    count: int | None,
    seed: int | None,
    agent_seed: int,
    model: str | None,
    out: str | None,
    force: bool,
) -> None:
    """Let AGENT, a baseline that needs no language model, play episodes, and write its runs."""
    from hansproof.generators.dataset import check_seed
    from hansproof.runs.book import Settings
    from hansproof.runs.games import games
    from hansproof.runs.playing import STYLE, family_with
    from hansproof.runs.playing import simulate as simulated
    from hansproof.terminal.outputs import STDOUT, check_output, write_output
    from hansproof.terminal.streams import on_stderr

    out = STDOUT if out is None else out
    check_output(out, force=force, inputs=(source,) if source else ())
    check_seed(agent_seed)
    parameters = dict(_parameter(text) for text in settings)
    chosen = games(family_with(agent) if source is None else source, subsets, count, seed, variants=all_stories)
    called = Settings(agent, model or " ".join((agent, *settings))).model
    with on_stderr() as progress:
        runs, declined = simulated(chosen, agent, parameters, agent_seed, progress)
    played = games([run.item for run in runs])
    data = b"".join(run.line(called, STYLE, played.digest) for run in runs)
    write_output(out, data, force=force)
    if out != STDOUT:
        actions = sum(len(run.actions) for run in runs)
        tell(f"{out}: {len(runs):,} episodes, {actions:,} actions")
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
