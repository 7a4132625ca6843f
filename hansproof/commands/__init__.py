"""One file per command, each of them parse, call, print. The table of all: `hansproof/command_line.py`."""
