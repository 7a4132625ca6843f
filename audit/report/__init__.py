"""Records drawn for people and programs: terminal, HTML, SVG, SARIF, and the words that these share."""
