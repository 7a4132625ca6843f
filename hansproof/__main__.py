"""`python -m hansproof` is `hansproof`."""

from hansproof.starting import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
