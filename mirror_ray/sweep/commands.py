"""The commands that a sweep's catalogues name, and the user's permission to run them.

A sweep and its catalogues may be a stranger's. Their model servers are started only if the user
allows it on the command line, or keeps the catalogue in the user's configuration folder."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mirror_ray.core.errors import SweepError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.providers.model import Model
from mirror_ray.providers.served import Served
from mirror_ray.sweep.plan import Plan

OPTION = "--allow-commands"
_MOST_CHARS = 10_000


@dataclass(frozen=True, slots=True)
class ModelCommand:
    """The command that starts a model's server. `text` is the environment and the command line as a
    shell would read them, on one printable line."""

    model: str
    text: str


def commands_of(models: Mapping[str, Model]) -> tuple[ModelCommand, ...]:
    """Return the command of every model that the run serves itself."""
    return tuple(
        ModelCommand(name, _in_full(model.serve))
        for name, model in models.items()
        if model.serve is not None
    )


def are_users_own(catalogues: Sequence[Path], environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether every catalogue is in the user's configuration folder, according to
    XDG_CONFIG_HOME and HOME in `environ`."""
    folder = configuration_folder(environ)
    return folder is not None and all(
        path.resolve().is_relative_to(folder.resolve()) for path in catalogues
    )


def configuration_folder(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return ``$XDG_CONFIG_HOME/mirror-ray`` or ``~/.config/mirror-ray``; None without a home."""
    base, home = environ.get("XDG_CONFIG_HOME", ""), environ.get("HOME", "")
    if Path(base).is_absolute():
        return Path(base) / "mirror-ray"
    return Path(home) / ".config" / "mirror-ray" if Path(home).is_absolute() else None


def may_run_commands(plan: Plan, *, allowed: bool) -> bool:
    """Return whether the plan may start servers: `OPTION` or the user's own catalogues allow it."""
    return allowed or plan.catalogues_are_own


def require_permission(plan: Plan, *, allowed: bool) -> None:
    """Refuse to start model servers that the user has not allowed. The SweepError names the first
    command in full, and how to allow it."""
    commands = commands_of(plan.models)
    if not commands or may_run_commands(plan, allowed=allowed):
        return
    first, more = commands[0], len(commands) - 1
    also = f" (and {more} more: mirror-ray plan prints them)" if more else ""
    raise SweepError(
        f"{plan.sweep.source}: catalogue: models.{first.model}.serve",
        f"a command to run: {first.text}{also}",
        f"commands that you allow with {OPTION}, or that a catalogue in"
        f" {configuration_folder() or 'your configuration folder'} names",
        f"read the command; if you trust it, add {OPTION}",
    )


def _in_full(served: Served) -> str:
    variables = [f"{name}={shlex.quote(value)}" for name, value in served.env.items()]
    words = shlex.join(served.argv(host="{host}", port="{port}"))
    return one_printable_line(" ".join((*variables, words)), _MOST_CHARS)
