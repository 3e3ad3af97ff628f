"""``python -m phaseten`` is the command ``phaseten``."""

# Worker processes import this module as well, and need nothing of the command line.
if __name__ == "__main__":
    import sys

    from phaseten.cli import main

    sys.exit(main())
