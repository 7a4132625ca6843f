"""What commands share at the terminal: streams, progress, outputs, and tables."""
