"""The parts of ``benchmarks/server.py``."""
