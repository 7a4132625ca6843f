"""Made records of finished runs."""
