"""The game in a terminal, line by line, and what is needed to show cards and rules there."""
