"""`python -m hansproof` is `hansproof`."""

from hansproof.command_line import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
