"""The parts of ``benchmarks/browser.py`` and ``benchmarks/lighthouse.py``."""
