"""The coach: what was luck, what was play, and what would have been better."""
