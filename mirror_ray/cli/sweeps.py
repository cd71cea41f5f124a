"""`mirror-ray sweeps` lists the shipped sweeps and those of plug-ins, one per line."""

import re
from argparse import Namespace
from pathlib import Path

from mirror_ray.cli.show import console, print_json
from mirror_ray.core.bounded_files import MOST_CONFIG_BYTES, read_bounded, text_of
from mirror_ray.core.errors import UnfitError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.sweep.shipped import shipped_sweeps

_SENTENCE_END = re.compile(r"(?<=[.?]) ")


def main(arguments: Namespace) -> int:
    """Print every name with the first sentence of its file."""
    told = {name: _first_sentence(path) for name, path in shipped_sweeps().items()}
    if arguments.json:
        print_json([{"name": name, "about": about} for name, about in told.items()])
        return 0
    name_cells = max(map(len, told))
    for name, about in told.items():
        console.print(f"{name:<{name_cells}}  {about}", no_wrap=True, overflow="ellipsis")
    console.print("mirror-ray plan NAME estimates one; mirror-ray run NAME plays it.")
    return 0


def _first_sentence(path: Path) -> str:
    try:
        lines = text_of(read_bounded(path, MOST_CONFIG_BYTES)).splitlines()
    except UnfitError:
        return ""
    words: list[str] = []
    for line in lines:
        # Commands in it are indented.
        if not line.startswith("# ") or line.startswith("#  "):
            break
        words.append(line[2:])
    return one_printable_line(_SENTENCE_END.split(" ".join(words), maxsplit=1)[0], 200)
