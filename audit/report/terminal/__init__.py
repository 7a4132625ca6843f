"""The report in the terminal. Read `screen` first; `table` and `ink` serve every command."""
