"""What an audit found, as typed records: written as JSON, read back, and compared with another result."""
