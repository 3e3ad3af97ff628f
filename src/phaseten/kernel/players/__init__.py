"""The players that live in the kernel, by the names of the ladder.

``rookie``, ``casual`` and ``sharp`` choose by rules of thumb, ``random`` takes any legal action;
each is a *policy* for :meth:`phaseten.kernel.Game.pick`, :meth:`phaseten.kernel.Batch.play` and
:func:`phaseten.kernel.simulate`. The ``master`` is no policy but thinks: :mod:`.search` tries out
actions for it.
"""

POLICIES = {"random": 0, "casual": 1, "sharp": 2, "rookie": 3}
"""The numbers by which the compiled modules know the policies."""

_OLD_NAMES = {"greedy": "casual", "expert": "sharp"}


def policy_number(name: str) -> int:
    """The number of a policy."""
    if name in POLICIES:
        return POLICIES[name]
    choice = f"choose from {', '.join(POLICIES)}"
    if name in _OLD_NAMES:
        raise ValueError(f"the policy {name!r} is called {_OLD_NAMES[name]!r} now: {choice}")
    raise ValueError(f"there is no policy {name!r}: {choice}")
