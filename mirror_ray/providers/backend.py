"""The interface of a model's backend: one attempt per request. Imports litellm only if needed."""

from typing import Protocol

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Model


class NotMadeError(Exception):
    """The run is stopping, and the request was not sent."""


class StillOutError(Exception):
    """The run is stopping, and the reply has not come yet; a later run gets it."""


class Backend(Protocol):
    """One model, ready to be called from one event loop."""

    async def available(self) -> Reply | None:
        """Wait until the model can be called. If it never can, return the reply with which every
        request fails."""

    async def reply(self, request: Request) -> Reply:
        """Make exactly one attempt, within the model's `timeout_s`.

        A failure of the API is not raised; the reply's `error_kind`, `error` and `retry_after_s`
        describe it. The caller decides whether to retry.

        Raises:
            NotMadeError, StillOutError: raised by a backend that delays requests, and is stopped.
        """

    async def aclose(self) -> None:
        """Close connections; the backend is not used afterwards."""


def backend_for(
    model: Model, known: frozenset[str] = frozenset(), client: HttpClient | None = None
) -> Backend:
    """Return the backend of a model; the first hosted one of a process imports litellm, which takes
    seconds. `known` and `client` are those of `Hosted`."""
    if model.is_offline:
        # Imported late: processes that call hosted models do not need the agents.
        from mirror_ray.providers.scripted import Scripted  # noqa: PLC0415

        return Scripted(model)
    return Hosted(model, known, client)
