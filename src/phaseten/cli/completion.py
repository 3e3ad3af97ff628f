"""``phaseten completion``."""

from __future__ import annotations

from typing import Annotated, Final, Literal, cast, get_args

from cyclopts import App, Parameter
from cyclopts.completion import ShellDetectionError

from phaseten.cli.options import Flag, one_of
from phaseten.cli.problems import Problem, reason

EXAMPLES: Final = """\
Examples:
  phaseten completion --install            for the shell that you are using
  phaseten completion zsh --install
  phaseten completion bash > phaseten.bash

After that, Tab completes commands, options, editions, bots, rules and files in
every new shell."""

Shell = Literal["bash", "zsh", "fish", "powershell"]
SHELLS: Final = get_args(Shell)


def run(
    shell: Annotated[str, Parameter(show_default=False, completer=lambda _: SHELLS)] = "",
    *,
    install: Flag = False,
) -> int:
    """Let the shell complete what you type.

    Prints a script for the shell, or installs it where the shell looks for it,
    with a line in its start-up file.

    Args:
        shell: bash, zsh, fish or powershell; if not said, the one in use.
        install: Install the script instead of printing it.
    """
    one_of("The shell", shell or None, SHELLS)
    app = _whole_app()
    chosen = cast("Shell | None", shell or None)
    try:
        if not install:
            print(_with_files(app.generate_completion(shell=chosen)))
            return 0
        path = app.install_completion(shell=chosen)
        path.write_text(_with_files(path.read_text(encoding="utf-8")), encoding="utf-8")
    except OSError as error:
        raise Problem(f"The script cannot be installed: {reason(error)}.") from error
    except ShellDetectionError as error:  # it cannot tell which shell this is
        raise Problem(f"Say which shell: {', '.join(SHELLS)}.") from error
    print(f"Installed in {path}. Open a new shell, and press Tab after phaseten.")
    return 0


def _whole_app() -> App:
    from phaseten.cli import build_app  # noqa: PLC0415 - which knows all commands, this one too

    return build_app("")


def _with_files(script: str) -> str:
    """Where we have nothing to offer, bash offers files."""
    return script.replace(
        "complete -F _phaseten", "complete -o bashdefault -o default -F _phaseten"
    )
