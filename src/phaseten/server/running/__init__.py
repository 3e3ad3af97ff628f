"""What runs the tables of this node: those in memory, what is due at them, who is there, and the other nodes."""
