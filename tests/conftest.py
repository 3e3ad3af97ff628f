"""Set-up shared by all tests: how hard hypothesis looks, which cards come, and that Ctrl-C can be heard.

The profile is named by the environment variable PHASETEN_HYPOTHESIS_PROFILE:
`default` for `make test`, `long` for `make test-long`, `mutation` under mutmut.
"""

import os
import random
import secrets
import signal
import sys

import pytest
from hypothesis import HealthCheck, Phase, settings

# Whoever starts the tests in the background of a shell has them ignore SIGINT, and so would every command that
# a test starts in order to interrupt it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Shared machines stall now and then: a deadline would only make the tests flaky.
# And always the same examples: whoever tries the tests for the first time sees what everybody sees.
# Others are looked for by `make test-long`.
settings.register_profile(
    "default", deadline=None, max_examples=30, print_blob=True, derandomize=True
)
settings.register_profile(
    "long",
    deadline=None,
    max_examples=2_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# A mutant is killed by any failure: repeat the same few examples, remember and shrink nothing.
settings.register_profile(
    "mutation",
    deadline=None,
    max_examples=10,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
PROFILE = os.environ.get("PHASETEN_HYPOTHESIS_PROFILE", "default")
settings.load_profile(PROFILE)


def pytest_runtest_setup(item: pytest.Item) -> None:
    # A game that nobody gave a seed is dealt by the name of its test: a bot that goes out in its first turn
    # does so always, or never. What must differ (names of nodes, keys) still does.
    chance = random.Random(item.nodeid)
    secrets.token_bytes = lambda nbytes=None: chance.randbytes(nbytes or secrets.DEFAULT_ENTROPY)
    secrets.randbits = chance.getrandbits
    # mutmut runs a mutant only against the tests that reached its function: a warm cache would hide the rest.
    if PROFILE == "mutation":
        for name in [name for name in sys.modules if name.startswith("phaseten")]:
            for value in vars(sys.modules[name]).values():
                getattr(value, "cache_clear", lambda: None)()
