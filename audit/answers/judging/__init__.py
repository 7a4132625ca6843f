"""Whether one reply is right: by the scorer of its item, or by the harness that logged it."""
