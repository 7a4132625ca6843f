"""The command line: the table of commands, the root that imports them, and the exit code of a run."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from typing import Any

import click

from hansproof import __version__
from hansproof.audit.scale.room import room_checked
from hansproof.commands.options import refuse_repeated
from hansproof.generators.errors import told
from hansproof.generators.input import recording
from hansproof.terminal.streams import lasting_streams, said_once, stoppable, tell

__all__ = ["main"]

COMMANDS = {
    "audit": "hansproof.commands.audit:audit",
    "harden": "hansproof.commands.harden:harden",
    "diff": "hansproof.commands.diff:diff",
    "list": "hansproof.commands.list:list_",
    "generate": "hansproof.commands.generate:generate",
    "release": "hansproof.commands.release:release",
    "verify": "hansproof.commands.verify:verify",
    "download": "hansproof.commands.download:download",
    "export": "hansproof.commands.export:export",
    "prompts": "hansproof.commands.prompts:prompts",
    "run": "hansproof.commands.run:run",
    "simulate": "hansproof.commands.simulate:simulate",
    "phenotype": "hansproof.commands.phenotype:phenotype",
    "compare": "hansproof.commands.compare:compare",
    "score": "hansproof.commands.score:score",
    "analyse": "hansproof.commands.analyse:analyse",
    "annotate": "hansproof.commands.annotate:annotate",
}
"""The visible table: command -> where it is. A command is imported when it is needed."""


class _Root(click.Group):
    """A group that imports its commands on demand and prints an error that you can cause as one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
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


def _answered(error: BaseException) -> int:
    """Say what is wrong, in one line where it is not our own fault; the exit code, which is never 1."""
    if isinstance(error, SystemExit | GeneratorExit):
        raise error
    if isinstance(error, KeyboardInterrupt):
        tell("interrupted")
        return 130
    known = told(error)
    if known is None:
        for line in "".join(traceback.format_exception(error)).splitlines():
            tell(line)
        tell("error: a bug in hansproof; please report the lines above")
    else:
        for line in f"error: {known}".split("\n"):
            tell(line)
    return 2


def command_line() -> click.Group:
    """The root of the command line. A HansproofError becomes one line on standard error and exit code 2."""
    root = _Root(
        "hansproof",
        help="Benchmarks that Clever Hans cannot pass: find the shortcuts before you run any model.",
        epilog="\b\nExample:\n  hansproof audit datasets/planted-cues/1.0.0/unigram.jsonl",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    return click.version_option(__version__, prog_name="hansproof")(root)


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
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        hint = f"; {context.command_path} --help says how it is used" if context else ""
        tell(f"error: {error.format_message().rstrip('.')}{hint}")
        return 2
    except click.Abort:
        return _answered(KeyboardInterrupt())
    except BaseException as error:  # the help could not be written, or was interrupted
        return _answered(error)
