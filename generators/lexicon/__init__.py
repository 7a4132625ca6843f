"""Word lists as plain text, written by hand. Read `words` (the loader), then `verbs`."""
