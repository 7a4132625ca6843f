"""Verifying a release. Read `verify`, then what it calls: `inventory`, `rows`, `regeneration`, `checks`."""
