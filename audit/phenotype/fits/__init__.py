"""Models fitted to records: least squares, logits, and learners. Each says why a fit does not exist."""
