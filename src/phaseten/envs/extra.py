"""What the environments need beside the game."""


def missing(error: ModuleNotFoundError) -> ImportError:
    """What to do where something is not installed, in a sentence."""
    package = (error.name or "").partition(".")[0]
    return ImportError(f"phaseten.envs needs {package}: pip install 'phaseten[learn]'")
