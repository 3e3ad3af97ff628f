"""``python -m phaseten`` is the command ``phaseten``."""

import sys

from phaseten.cli import main

if __name__ == "__main__":
    sys.exit(main())
