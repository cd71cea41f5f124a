"""`mirror-ray completion SHELL`, and the words that argcomplete offers to a shell."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from mirror_ray.cli.arguments import CommandParser
from mirror_ray.cli.extras import needs_extra


def main(arguments: Namespace) -> int:
    """Print the shell's code."""
    from mirror_ray.cli.show import print_json  # noqa: PLC0415

    with needs_extra("completion", ["argcomplete"]):
        import argcomplete  # noqa: PLC0415

    code = argcomplete.shellcode(["mirror-ray"], shell=arguments.shell)
    if arguments.json:
        print_json({"shell": arguments.shell, "code": code})
    else:
        print(code)
    return 0


def complete(parser: CommandParser) -> None:
    """Answer the shell that asks for completions and exit; without argcomplete do nothing."""
    try:
        import argcomplete  # noqa: PLC0415
    except ModuleNotFoundError:
        return
    for action in (one for command in parser.commands.values() for one in command._actions):
        if action.dest in _WORDS:
            setattr(action, "completer", _WORDS[action.dest])  # noqa: B010 - argcomplete's way
    argcomplete.autocomplete(parser)


def _sweeps(prefix: str, **_: Any) -> Iterable[str]:
    from mirror_ray.sweep.shipped import shipped_sweeps  # noqa: PLC0415

    return [*shipped_sweeps(), *map(str, _below(prefix, "*.yaml"))]


def _overrides(prefix: str, **_: Any) -> Iterable[str]:
    from mirror_ray.sweep.file import StageKeys, SweepKeys  # noqa: PLC0415

    key, is_given, value = prefix.partition("=")
    if is_given:
        added = "+" if value.startswith("+") else ""
        return [f"{key}={added}{name}" for name in _models("")] if key == "models" else []
    return [f"{key}=" for key in (*SweepKeys.model_fields, *StageKeys.model_fields)]


def _models(prefix: str, **_: Any) -> Iterable[str]:
    from mirror_ray.providers.catalogue import load_catalogue  # noqa: PLC0415

    return load_catalogue().match(f"{prefix}*")


def _run_dirs(prefix: str, **_: Any) -> Iterable[str]:
    folders = {*_below(prefix, "*/manifest.json"), *_below("runs/", "*/manifest.json")}
    return sorted(str(one.parent) for one in folders)


def _below(prefix: str, pattern: str) -> Iterable[Path]:
    folder = Path(os.path.dirname(prefix) or ".")  # noqa: PTH120 - of a text that ends with a slash
    return folder.glob(pattern) if folder.is_dir() else ()


_WORDS: Mapping[str, Callable[..., Iterable[str]]] = {
    "sweep": _sweeps,
    "overrides": _overrides,
    "directory": _run_dirs,
    "directories": _run_dirs,
    "pattern": _models,
}
