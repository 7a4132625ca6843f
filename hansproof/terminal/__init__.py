"""What commands share at the terminal: streams, progress, and outputs."""
