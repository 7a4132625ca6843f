"""What a participant's recorded choices in the cognitive tasks say of it, beside people and chance."""
