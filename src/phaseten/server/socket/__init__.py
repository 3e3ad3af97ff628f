"""One connection to a table: requests come in, messages go out."""
