"""What `hansproof score` says beyond the table of one model: its help page, answers as a whole, the CSV file."""
