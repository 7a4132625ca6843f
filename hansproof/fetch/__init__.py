"""Getting a frozen release: the index of digests, the download, the rows as a table."""
