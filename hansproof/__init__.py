"""hansproof: benchmarks that Clever Hans cannot pass.

The front door. Read `generators/` (make), then `audit/` (measure); both are reached from here, on the
command line as `hansproof COMMAND` and in Python as `hansproof.audit(...)`.
"""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click

    from audit.result import AuditResult

__all__ = ["COMMANDS", "__version__", "audit", "command_line", "load", "main"]

__version__ = "0.1.0"

COMMANDS = {
    "audit": "hansproof.commands.audit:audit",
    "list": "hansproof.commands.list:list_",
    "generate": "hansproof.commands.generate:generate",
    "release": "hansproof.commands.release:release",
    "verify": "hansproof.commands.verify:verify",
    "download": "hansproof.commands.download:download",
    "export": "hansproof.commands.export:export",
    "prompts": "hansproof.commands.prompts:prompts",
    "score": "hansproof.commands.score:score",
    "annotate": "hansproof.commands.annotate:annotate",
}
"""The visible table: command -> where it is, imported when it is asked for."""


def audit(source: Any, **options: Any) -> AuditResult:
    """Audit a benchmark for shortcuts; see `audit.run.examine` for every option.

    `source` is a path, an `hf://` address, a pandas or polars frame, a list of dicts or a Hugging Face
    Dataset. Raises `generators.errors.HansproofError` where the source cannot be read or assessed.
    """
    from audit.run import audit as run

    return run(source, **options)


def load(name: str, **options: Any) -> Any:
    """The rows of a frozen release: a Hugging Face Dataset, or a pandas or polars frame by `as_`.

    `name` is `knights-knaves` or `knights-knaves@1.0.0`; the options are those of `hansproof.fetch.loaded.load`
    (`subset`, `as_`, `source`, `cache`, `offline`). Raises HansproofError where it is not to be had.
    """
    from hansproof.fetch.loaded import load as rows

    return rows(name, **options)


def command_line() -> click.Group:
    """The root of the command line; an error that a user can cause is one line, and exit code 2."""
    import click

    from generators.errors import HansproofError

    class Root(click.Group):
        def list_commands(self, ctx: click.Context) -> list[str]:
            return list(COMMANDS)

        def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
            if name not in COMMANDS:
                return None
            module, _, attribute = COMMANDS[name].partition(":")
            command: click.Command = getattr(import_module(module), attribute)
            return command

        def invoke(self, ctx: click.Context) -> Any:
            try:
                return super().invoke(ctx)
            except HansproofError as error:
                click.echo(f"error: {error}", err=True)
                ctx.exit(2)

    root = Root(
        "hansproof",
        help="Benchmarks that Clever Hans cannot pass: find the shortcuts before any model is run.",
        epilog="\b\nExample:\n  hansproof audit datasets/planted-cues/1.0.0/unigram.jsonl",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    return click.version_option(__version__, prog_name="hansproof")(root)


def main() -> None:
    """Run the command line and leave with its exit code; 2 for a fault of our own, 130 when interrupted."""
    import click

    try:
        sys.exit(command_line().main(prog_name="hansproof", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except Exception:
        # Never 1, which says that a check failed.
        traceback.print_exc()
        click.echo("error: a fault in hansproof itself; please report the lines above", err=True)
        sys.exit(2)
