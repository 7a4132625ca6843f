"""Word problems read and timed from their text alone, by means that share nothing with the generator."""
