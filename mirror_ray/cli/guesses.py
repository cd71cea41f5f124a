"""What to type instead of commands and options that do not exist."""

from collections.abc import Iterable

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.spelling import close_names

_FILE = "guesses.yaml"
_NO_DASHES = "keys of the sweep are written KEY=VALUE, without dashes"


def instead_of_command(word: str, commands: Iterable[str]) -> str:
    """Return what to type, or the nearest commands."""
    if said := _said_to("commands", word):
        return said
    if word.endswith((".yaml", ".yml")):
        return f"a command comes first: `mirror-ray plan {word}`"
    close = close_names(word, commands, 3)
    return f"did you mean {' or '.join(close)}?" if close else "`mirror-ray --help` lists commands"


def instead_of_option(word: str, options: Iterable[str]) -> str:
    """Return what to type, or the nearest options of the command."""
    name, _, value = word.partition("=")
    key = name.lstrip("-").replace("-", "_")
    if key in shipped_yaml("mirror_ray.cli", _FILE)["keys"]:
        return f"{key}={value or '…'}: {_NO_DASHES}"
    if said := _said_to("options", name):
        return said
    close = close_names(name, options, 2)
    return f"did you mean {' or '.join(close)}?" if close else "see --help"


def _said_to(kind: str, word: str) -> str | None:
    guesses = shipped_yaml("mirror_ray.cli", _FILE)[kind]
    return next((str(one["say"]) for one in guesses if word in one["to"]), None)
