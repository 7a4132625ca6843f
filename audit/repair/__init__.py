"""The smallest change that removes a shortcut, for labels and for options."""
