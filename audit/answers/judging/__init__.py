"""Whether one reply is right: by the scorer of its item's family, by that of third parties, or by the harness."""
