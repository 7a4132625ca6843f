"""What is written: `atomic` puts whole files in their places, `parts` names what is not whole yet and removes it."""
