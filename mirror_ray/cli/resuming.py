"""The last lines of a run that ended before its plan: what is kept, and how to resume."""

import shlex
from argparse import Namespace
from collections.abc import Sequence

from rich.console import Console

from mirror_ray.core.errors import MirrorRayError
from mirror_ray.core.terminal import say
from mirror_ray.engine.driver.money import spent_words
from mirror_ray.sweep.notify import kept_overrides


def say_how_to_resume(shown: Console, arguments: Namespace, out: str) -> None:
    """Print what the run directory keeps, and the command that resumes the run as the last line."""
    again = ", with your notify.webhook=… again" if _webhooks(arguments) else ""
    say(shown, f"Interrupted. {_kept(out)} To resume{again}:")
    # People paste this, so it must not be wrapped in a narrow terminal.
    shown.print(command_of(arguments), soft_wrap=True)


def command_of(arguments: Namespace) -> str:
    """Return the `run` command; an address to notify is left out, as it may be secret."""
    secret = _webhooks(arguments)
    kept = [one for one in arguments.overrides if one not in secret]
    words = ["mirror-ray", "run", arguments.sweep, *kept]
    options: Sequence[tuple[str, object]] = (
        ("--out", arguments.out),
        ("--limit", arguments.limit),
        ("--shard", arguments.shard),
        ("--registered", arguments.registered),
        ("--allow-commands", arguments.allow_commands),
        ("--plain", arguments.plain),
        ("--json", arguments.json),
    )
    for name, value in options:
        if value:
            words += [name] if value is True else [name, str(value)]
    return shlex.join(words)


def _webhooks(arguments: Namespace) -> list[str]:
    recorded = kept_overrides(arguments.overrides)
    return [one for one in arguments.overrides if one not in recorded and "webhook" in one]


def _kept(out: str) -> str:
    # Imported late: DuckDB and Arrow take a while, and most runs end otherwise.
    from mirror_ray.cli.status_counts import read_status  # noqa: PLC0415
    from mirror_ray.records.manifest import read_manifest  # noqa: PLC0415

    try:
        status = read_status(out, read_manifest(out))
    except MirrorRayError:
        return f"Nothing was recorded in {out} yet."
    asks, unpriced = sum(row[6] for row in status.rows), sum(row[10] for row in status.rows)
    if not asks:
        return f"{out} has no reply yet, and nothing was paid."
    spent_usd = sum(row[8] or 0.0 for row in status.rows)
    replies = "1 reply" if asks == 1 else f"{asks:,} replies"
    return (
        f"{out} keeps {replies}, which cost {spent_words(spent_usd, unpriced)}, and"
        f" {status.done:,} of {status.planned:,} episodes that are done."
    )
