"""The law: standard library only; no clock, no randomness, no I/O beyond reading editions."""
