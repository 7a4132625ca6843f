"""Releases: frozen, versioned data; made, read, verified, described on cards and exported."""
