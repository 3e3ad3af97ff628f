"""What a player sees on the table."""
