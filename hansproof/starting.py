"""The first and the last moment of a run: nothing is loaded before Ctrl-C has its answer of one line."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave with its exit code; 130 for Ctrl-C, also while modules are still being loaded."""
    try:
        import signal

        from hansproof.command_line import main as run
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("interrupted\n")
        sys.exit(130)
    try:
        run()
    finally:
        # All is said. What Python still has to clear up may be cut short without a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
