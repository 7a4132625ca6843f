"""How replies are read and scored, what can be had blindly, and how a turn of an episode is answered."""
