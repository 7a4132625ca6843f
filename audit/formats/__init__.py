"""How a benchmark is written. Read `formats` first: it chooses among the readers."""
