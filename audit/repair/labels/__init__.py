"""Repair of items that share one set of answers: `subject` says what `audit.repair.search` may do to them."""
