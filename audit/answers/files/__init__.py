"""Files of answers as bytes and lines: which files are meant, how they begin, and the format of this project."""
