"""What a text is like to read: words, sentences, readability, lexical diversity, length. Read `measures` first."""
