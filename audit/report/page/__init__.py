"""The HTML page of a result. Read `page` first."""
