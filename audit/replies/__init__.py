"""What a model said: read from any file, joined to items, and judged, as one grid."""
