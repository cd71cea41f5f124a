"""Notes on a run's differing versions, on standard error so that scripts' output is unaffected."""

import sys
from collections.abc import Mapping
from typing import Any

from mirror_ray.core.terminal import Terminal, say
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.versions_differ import notes_for_readers


def say_differences(directory: str, manifest: Mapping[str, Any]) -> None:
    """Print the notes, if there are any."""
    notes = notes_for_readers(manifest)
    if notes:
        shown = Terminal(sys.stderr)
        say(shown, f"{one_printable_line(directory, 500)}:")
        for note in notes:
            say(shown, f"  {note}")
