"""From numbers to one word, by a written rule, and the sentences that give its reasons."""
