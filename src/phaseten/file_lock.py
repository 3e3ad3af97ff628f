"""A lock on a file that the operating system lets go of when the process ends, however it ends."""

from __future__ import annotations

import sys
from typing import IO, Any, Final

if sys.platform == "win32":
    import msvcrt

    _FAR: Final = 2**30
    """Where Windows locks: what it locks nobody can read."""

    def lock(file: IO[Any]) -> bool:
        """Take the lock for as long as the file is open; False where another process has it."""
        at = file.tell()
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(at)
        return True

else:
    import fcntl

    def lock(file: IO[Any]) -> bool:
        """Take the lock for as long as the file is open; False where another process has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True
