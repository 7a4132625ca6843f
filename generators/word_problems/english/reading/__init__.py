"""Reading English: `problems` reads prompts back into logical forms, `replies` extracts answers from model replies."""
