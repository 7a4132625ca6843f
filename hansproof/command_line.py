"""The command line: the table of commands, the root that imports them, and the exit code of a run."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any

import click

from hansproof import __version__
from hansproof.audit.scale.room import room_checked
from hansproof.commands.options import refuse_repeated
from hansproof.generators.errors import told, unknown
from hansproof.generators.input import recording
from hansproof.terminal.streams import lasting_streams, said_once, say, stoppable, tell

__all__ = ["main"]

GROUPS = {
    "Audit": {
        "audit": "Find out whether a benchmark's answers can be predicted.",
        "harden": "Change as little as possible so that answers cannot be predicted.",
        "diff": "Show what changed between two audits.",
    },
    "Make": {
        "list": "Show the datasets, or the subsets of one dataset.",
        "generate": "Generate fresh items of a dataset.",
        "release": "Generate, audit and freeze a dataset.",
        "verify": "Check a release byte for byte.",
        "download": "Download a frozen release and check it.",
        "export": "Convert a release for another evaluation harness.",
    },
    "Evaluate": {
        "prompts": "Write items as prompts in a chosen style.",
        "score": "Score model replies against their items.",
        "compare": "Compare two models, prompts or dates on the same items.",
        "analyse": "Analyse answers by shortcuts, experiments, conditions, hypotheses, items or phenotypes.",
        "annotate": "Mark reasoning errors in model replies.",
    },
    "Play": {
        "run": "Let a model or an agent play episodes.",
        "phenotype": "Measure how a model decides: sixteen metrics beside people and random choices.",
    },
}
"""What the commands are for, and a line on each: the help of all shows them without importing one."""
_SUMMARIES = {name: summary for commands in GROUPS.values() for name, summary in commands.items()}
COMMANDS = {name: f"hansproof.commands.{name}:{'list_' if name == 'list' else name}" for name in _SUMMARIES}
"""Command -> where it is. A command is imported when it is needed."""

_ITEMS = "--split --id --choices --answer-part --recipe --groups"
_PROBES = "--permutations --splits --seed --workers --task"
RARE = {
    "audit": f"{_PROBES} {_ITEMS} --alpha --folds --upstream-counts --solver --trees --thorough --partial --grades "
    "--dask --max-left-out --max-rows --sarif --croissant --item-scores --protocol --no-cache --list-recipes --config "
    "--predictions",
    "harden": f"{_PROBES} {_ITEMS} --alpha --folds --max-left-out --steps --held-out --no-cache",
    "score": f"{_ITEMS} --template --original --families --test --hypothesis --shift --svg",
    "compare": f"{_ITEMS} --condition --breakdown --template --show --discordant --accuracy --correlation --group-size "
    "--icc",
    "analyse": f"{_PROBES} {_ITEMS} --template --breakdown --original --families --hypothesis --shift --svg --boxes "
    "--threshold --original-style",
    "phenotype": "--seed --resamples --as-published --models --feature --components --metric --subset --svg",
    "prompts": "--choices --recipe --template --answer --shots --seed --model --chat",
    "run": "--all-stories --agent-seed --retries --keep-replies --accept-failures",
}
"""Options that only `--help-all` shows: rare knobs."""
_RENAMED = {
    "audit": {"--items": "--item-scores"},
    "harden": {"--partial": "--best-effort"},
    "score": {"--subset": "--breakdown", "--out": "--item-scores", "-o": "--item-scores", "--figure": "--svg"},
    "compare": {"--subset": "--breakdown"},
    "analyse": {"--subset": "--breakdown", "--figure": "--svg"},
}
"""Command -> the old names of options, which still work, and the new ones."""
_EXAMPLES = 5
"""Examples that a short page has."""


class _Root(click.Group):
    """A group that imports its commands on demand and prints an error that you can cause as one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([*commands.items()])

    def get_command(self, ctx: click.Context | None, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        command.short_help = _SUMMARIES[name]  # for the shell, which completes commands
        if name not in RARE or (ctx and ctx.resilient_parsing):  # a shell completes rare options, too
            return command
        return shortened(command, RARE[name].split())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] == "simulate" and args[1:] and not args[1].startswith("-"):
            args = ["run", "--agent", args[1], *([] if {"-o", "--out"} & {*args} else ["--out", "-"]), *args[2:]]
            tell(f"simulate AGENT is now: hansproof run --agent {args[2]}")
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown("command", args[0], COMMANDS)
        name, command, rest = super().resolve_command(ctx, args)
        rest = renamed(name or "", rest)
        if not ctx.resilient_parsing:
            refuse_repeated(command, rest, ctx)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        # Everything is caught here: what got as far as click, it would answer itself, EOFError like Ctrl-C and a
        # broken pipe with 1, which says that a check failed.
        try:
            with recording():  # so that no command writes what it has read
                return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except BaseException as error:
            ctx.exit(_answered(error))


def renamed(command: str, arguments: Sequence[str]) -> list[str]:
    """The arguments with the old names of options replaced; each says once what it is called now."""
    now = _RENAMED.get(command, {})
    ends = arguments.index("--") if "--" in arguments else len(arguments)
    names = [argument.partition("=") for argument in arguments[:ends]]
    for old in dict.fromkeys(name for name, _, _ in names if name in now):
        tell(f"{command} {old} is now {now[old]}")
    return [f"{now.get(name, name)}{equals}{value}" for name, equals, value in names] + [*arguments[ends:]]


def shortened(command: click.Command, rare: Collection[str]) -> click.Command:
    """The command with a help page without its `rare` options and most examples; `--help-all` shows all of it."""
    if any(option.name == "help_all" for option in command.params):
        return command
    hidden = [
        option
        for option in command.params
        if isinstance(option, click.Option) and {*option.opts, *option.secondary_opts} & {*rare}
    ]
    every = command.epilog or ""
    lines = every.split("\n\n")[0].split("\n")
    _, codes, meant = every.partition("Exit codes")

    def show(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            for each in hidden:
                each.hidden = False
            command.epilog = every
            for line in ctx.get_help().splitlines():
                say(line)
            _hide()
            ctx.exit()

    def _hide() -> None:
        for each in hidden:
            each.hidden = True
        command.epilog = "\n".join(lines[: _EXAMPLES + 2]) + (f"\n\n\b\n{codes}{meant}" if codes else "")

    _hide()
    words = "Show this page with the rare options and all examples."
    command.params.append(
        click.Option(["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=show, help=words)
    )
    return command


def _answered(error: BaseException) -> int:
    """Say what is wrong, in one line where it is not our own fault; the exit code, which is never 1."""
    if isinstance(error, SystemExit | GeneratorExit):
        raise error
    if isinstance(error, KeyboardInterrupt):
        tell("interrupted")
        return 130
    known = told(error)
    if known is None:
        import traceback

        from hansproof.generators.registry import FAMILIES

        for line in "".join(traceback.format_exception(error)).splitlines():
            tell(line)
        own = os.environ.get(FAMILIES, "")
        tell(f"error: a bug in hansproof{f' or in {own}' if own else ''}; please report the lines above")
    else:
        for line in f"error: {known}".split("\n"):
            tell(line)
    return 2


def command_line() -> click.Group:
    """The root of the command line. A HansproofError becomes one line on standard error and exit code 2."""
    root = _Root(
        "hansproof",
        help="Benchmarks that Clever Hans cannot pass: find the shortcuts before you run any model.",
        epilog="\b\nExample:\n  hansproof audit datasets/planted-cues/2.0.0/unigram.jsonl.gz",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    root.params.append(
        click.Option(
            ["--family"],
            multiple=True,
            metavar="MODULE:DATASET",
            expose_value=False,
            callback=_families,
            help="A family of your own, from a module in this folder; its code is run.",
        )
    )
    return click.version_option(__version__, prog_name="hansproof")(root)


def _families(ctx: click.Context, option: click.Parameter, places: tuple[str, ...]) -> None:
    if places and not ctx.resilient_parsing:
        from hansproof.generators.registry import add

        for place in places:
            add(place)


def main() -> None:
    """Run the command line and leave with its exit code: 2 for a fault of our own, 130 for Ctrl-C and SIGTERM."""
    code = 2
    try:
        with stoppable(), lasting_streams(), said_once(), room_checked():
            code = _run()
    except (Exception, KeyboardInterrupt) as error:  # the last lines could not be written, or at the very end
        code = _answered(error)
    sys.exit(code)


def _run() -> int:
    try:
        return int(command_line().main(prog_name="hansproof", standalone_mode=False) or 0)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        for line in error.ctx.get_help().splitlines():
            say(line)
        return 2
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        hint = f"; {context.command_path} --help says how it is used" if context else ""
        tell(f"error: {error.format_message().rstrip('.')}{hint}")
        return 2
    except click.Abort:
        return _answered(KeyboardInterrupt())
    except BaseException as error:  # the help could not be written, or was interrupted
        return _answered(error)
