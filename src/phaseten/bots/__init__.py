"""Players that choose from a view."""
