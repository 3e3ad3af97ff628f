"""``python -m tests.server.start`` starts the server of ``tests/server/foreseen.py``.

The processes of its bots import this module as well, and need nothing of a server.
"""

if __name__ == "__main__":
    from tests.server.foreseen import main

    main()
