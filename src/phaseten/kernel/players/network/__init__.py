"""A trained network that plays in one look: what it sees, what it can do, and the look itself."""
