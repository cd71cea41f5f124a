"""The standard streams of a command: missing characters, closed pipes and errors."""

import io
import os
import sys
from contextlib import suppress

from mirror_ray.core.untrusted import printable


def show_what_cannot_be_encoded() -> None:
    """Make the standard streams write an escape for what their encoding lacks, such as ``\\u2013``
    in ASCII, where they would raise UnicodeEncodeError in the midst of a table."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Discard all further output: its reader is gone, and the interpreter would complain when it
    flushes."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def print_error(message: str) -> None:
    """Print a message on standard error, made printable."""
    print(printable(message), file=sys.stderr)
