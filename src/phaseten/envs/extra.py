"""What the environments need beside the game."""


def missing(error: ModuleNotFoundError) -> ImportError:
    """What to do where something is not installed, in a sentence."""
    return ImportError(f"phaseten.envs needs {error.name}: pip install 'phaseten[learn]'")
