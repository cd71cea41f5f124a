"""Whether the session's head is still there, and the end of this process where it is not.

Knows its address and how to knock; does not know Ray's state. Ray itself waits a minute for a lost
head and then ends the process that asked, with words and an exit code of its own.
"""

import asyncio
import os
import sys
from contextlib import suppress
from typing import NoReturn

import ray

from mirror_ray.engine.summary import EXIT_LOST
from mirror_ray.errors import LostError

KNOCK_EVERY_S = 3.0
ANSWERS_WITHIN_S = 5.0
KNOCKS = 4
"""So many in vain, one after another, and it counts as lost."""


async def watch_head() -> None:
    """Returns never.

    Raises:
        LostError: the head does not answer any more.
    """
    address = str(ray.get_runtime_context().gcs_address)
    in_vain = 0
    while in_vain < KNOCKS:
        await asyncio.sleep(KNOCK_EVERY_S)
        in_vain = 0 if await _answers(address) else in_vain + 1
    raise LostError(
        f"the head of the Ray session ({address}) is lost\n"
        f"  got:     no answer to {KNOCKS} calls in a row\n"
        "  allowed: a head that lives as long as the run\n"
        "  fix:     run the same command again, on a new session: it goes on from what is recorded"
    )


def end_without_head(error: LostError) -> NoReturn:
    """Says why, and ends this process: whatever would be tidied up waits for the head itself.

    Its actors end with it; what they have recorded is durable.
    """
    print(f"mirror-ray: {error}", file=sys.stderr, flush=True)
    os._exit(EXIT_LOST)


async def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        _, writer = await asyncio.wait_for(
            asyncio.open_connection(host.strip("[]"), int(port)), ANSWERS_WITHIN_S
        )
    except (OSError, TimeoutError):
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True
