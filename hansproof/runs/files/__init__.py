"""The files of a run: finished runs and the journal beside them, begun, resumed, and kept from harm."""
