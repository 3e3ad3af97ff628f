"""Networks that learn the game: imitation of sharp, then play against themselves. See README.md."""
