"""What commands share at the terminal: progress, streams, JSON, tables, and the refusal to overwrite."""
