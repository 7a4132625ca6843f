"""What is read from outside: `opening` says which files are opened at all, `repeated` finds what is named twice."""
