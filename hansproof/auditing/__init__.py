"""Auditing from the command line: running, reports, exit codes. The command itself is in `hansproof.commands`."""
