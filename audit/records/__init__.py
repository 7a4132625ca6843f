"""The parts of a result: what was measured (`numbers`). `audit.result` puts them together."""
