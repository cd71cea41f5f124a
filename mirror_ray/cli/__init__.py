"""The command line: one module per command, each imported only when it is called."""

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType

from mirror_ray.cli import arguments as taken
from mirror_ray.core.arrow_alone import let_arrow_find_no_pandas
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.core.own_interpreter import forget_current_folder
from mirror_ray.core.untrusted import printable
from mirror_ray.world.opengl.context import drop_unusable_choices

INTERRUPTED, UNREAD = 130, 141

_OF_MANY_WORDS = ("overrides", "directories", "words")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; an error is one message on stderr."""
    show_what_cannot_be_encoded()
    if argv is None:
        forget_current_folder()
        drop_unusable_choices()
    parser = taken.parser()
    if "_ARGCOMPLETE" in os.environ:
        from mirror_ray.cli.completion import complete  # noqa: PLC0415

        complete(parser)
    words = list(sys.argv[1:] if argv is None else argv)
    if not words:
        parser.print_help()
        return 0
    # An interactive zsh passes the comment of a pasted line on as arguments.
    arguments, rest = parser.parse_known_args(words[: words.index("#")] if "#" in words else words)
    # argparse fills a positional of many words only once: words after an option arrive here.
    many = next((name for name in _OF_MANY_WORDS if hasattr(arguments, name)), None)
    late = [word for word in rest if _belongs(word, many)]
    if rest != late:
        unknown = [word for word in rest if word not in late]
        parser.refuse_options(arguments.command, unknown)
    if many is not None:
        setattr(arguments, many, [*getattr(arguments, many), *late])
    if argv is None and arguments.command == "run":
        from mirror_ray.engine.driver.interrupts import stop_as_interrupt  # noqa: PLC0415

        stop_as_interrupt()
    try:
        # Importing Ray, MuJoCo and DuckDB takes seconds, in which Ctrl-C may come.
        module = f"mirror_ray.cli.{arguments.command.replace('-', '_')}"
        command = import_module(module) if argv is not None else _imported_first(module)
        exit_code = int(command.main(arguments))
        # Flush buffers while a closed pipe can still be reported.
        sys.stdout.flush()
        if argv is None:
            # What libraries print when the process ends is not a part of a command's output.
            with suppress(OSError):
                os.dup2(2, 1)
        return exit_code
    except MirrorRayError as error:
        print_error(f"mirror-ray {arguments.command}: {error}")
        return error.exit_code
    except BrokenPipeError:
        drop_output()
        return UNREAD
    except KeyboardInterrupt:
        return INTERRUPTED
    except RuntimeError as error:
        # DuckDB raises this at Ctrl-C while it computes.
        if str(error) != "Query interrupted":
            raise
        return INTERRUPTED


def _imported_first(module: str) -> ModuleType:
    """Import and return the module of a process's only command, without garbage collection.
    Imported objects live to the end of the process, and repeated collections would take a fifth of
    a short command's time."""
    gc.disable()
    try:
        command = import_module(module)
        if "pyarrow" in sys.modules:
            let_arrow_find_no_pandas()
        return command
    finally:
        gc.freeze()
        # By default a collection runs every 700 objects, which would take up to a twentieth of the
        # rest.
        gc.set_threshold(50_000)
        gc.enable()


def _belongs(word: str, many: str | None) -> bool:
    if many is None or word.startswith("-"):
        return False
    return "=" in word or many != "overrides"


def show_what_cannot_be_encoded() -> None:
    """Make the standard streams escape characters that their encoding lacks, such as ``\u2013`` in
    ASCII, instead of raising UnicodeEncodeError within a table."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Discard all further output, because nobody reads it and the interpreter's flush would
    complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def print_error(message: str) -> None:
    """Print a message on standard error, made printable."""
    print(printable(message), file=sys.stderr)
