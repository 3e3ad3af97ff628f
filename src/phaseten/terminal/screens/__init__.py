"""The screens between which a player moves."""
