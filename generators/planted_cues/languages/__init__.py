"""Templates in other languages, and one in many wordings. Read `written`, then any of the languages."""
