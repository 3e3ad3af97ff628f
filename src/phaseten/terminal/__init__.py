"""The game in a terminal, and how commands print cards and rules there."""
