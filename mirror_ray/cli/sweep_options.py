"""Options of the commands that load a sweep, as overrides of its keys."""

from argparse import Namespace


def with_limit(arguments: Namespace) -> list[str]:
    """Return the overrides, with ``--limit`` and ``--shard`` translated into overrides."""
    named = {"limit": arguments.limit, "shard": arguments.shard}
    given = [f"{key}={value}" for key, value in named.items() if value is not None]
    return [*arguments.overrides, *given]
