"""Options of the commands that load a sweep, as overrides of its keys."""

from argparse import Namespace


def with_limit(arguments: Namespace) -> list[str]:
    """The overrides, and ``--limit`` as the one that it stands for."""
    limit = [] if arguments.limit is None else [f"limit={arguments.limit}"]
    return [*arguments.overrides, *limit]
