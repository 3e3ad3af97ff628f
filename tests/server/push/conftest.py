"""Web Push is an extra; where it is not installed there is nothing to test."""

import os
from importlib.util import find_spec

has_push = find_spec("cryptography") is not None
assert has_push or os.environ.get("CI") != "true", "pip install 'phaseten[dev]' brings cryptography"
collect_ignore_glob = [] if has_push else ["test_*.py"]
