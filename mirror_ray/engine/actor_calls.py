"""Calls to actors that Ray may be restarting. Only calls that may be repeated are made this way."""

import asyncio
from typing import Any, TypeAlias

from ray.actor import ActorHandle
from ray.exceptions import RayActorError

from mirror_ray.core.errors import LostError

RETRY_PAUSES_S = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)

_SHORT_PAUSES_S = (0.2, 0.5, *[1.0] * 31)
"""Short, because a paid reply that waits for the next try is lost if its process dies meanwhile."""

Actor: TypeAlias = ActorHandle[Any]
"""Any actor; its class defines its methods."""


async def retry_until_restarted(method: Any, what: str, *arguments: object) -> Any:
    """Call an idempotent method of an actor; repeat it after a restart. Raise LostError if the
    actor does not come back."""
    for pause_s in _SHORT_PAUSES_S:
        try:
            return await method.remote(*arguments)
        except RayActorError:
            await asyncio.sleep(pause_s)
    try:
        return await method.remote(*arguments)
    except RayActorError as reason:
        given = " ".join(str(reason).split())
        raise LostError(
            f"{what} failed: the actor does not come back",
            given,
            "processes that are restarted when they die, as they are while their node is there",
            "run the same command again: it resumes from what is recorded",
        ) from reason
