"""The web application: tables, seats, wire messages, storage."""
