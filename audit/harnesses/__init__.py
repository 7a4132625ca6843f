"""What other projects write: the items and the replies of each harness, and how its files are known."""
