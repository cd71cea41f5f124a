"""Options of the commands that load a sweep, as overrides of its keys."""

from argparse import Namespace


def with_limit(arguments: Namespace) -> list[str]:
    """The overrides, and ``--limit`` and ``--shard`` as those that they stand for."""
    named = {"limit": arguments.limit, "shard": arguments.shard}
    given = [f"{key}={value}" for key, value in named.items() if value is not None]
    return [*arguments.overrides, *given]
