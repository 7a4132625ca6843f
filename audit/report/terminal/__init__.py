"""What the terminal shows of a result. Read `screen` first."""
