"""All English of the word problems; `reading` and `replies` share no templates with what writes."""
