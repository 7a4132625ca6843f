"""What every command shares at the terminal: progress, tables, refusing to overwrite."""
