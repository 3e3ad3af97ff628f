"""The field's own packages come with the extras ``learn`` and ``dev``."""

from importlib.util import find_spec

LACKING = [name for name in ("gymnasium", "pettingzoo", "pyspiel") if find_spec(name) is None]

collect_ignore_glob = [] if not LACKING else ["test_[!i]*.py"]
"""Without them there is one test, which says so: test_installed.py."""
