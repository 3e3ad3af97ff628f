"""Cards, actions and game records: text in, text out."""
