"""The interface of a model's backend: one attempt per request.

litellm is imported only for a model that needs it.
"""

from collections.abc import Iterable
from typing import Protocol

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Model


class NotMadeError(Exception):
    """The run is stopping, and the ask was not sent."""


class StillOutError(Exception):
    """The run is stopping, and the ask's reply is still to come: a later run gets it."""


class Backend(Protocol):
    """One model, ready to be asked from one event loop."""

    async def available(self) -> Reply | None:
        """Waits until the model can be asked; the failure of every ask where it never will be.

        A model that is served elsewhere is always available: only a call can tell more.
        """

    async def reply(self, request: Request) -> Reply:
        """Makes exactly one attempt, within the model's `timeout_s`.

        A failure of the API is not raised; the reply's `error_kind`, `error` and `retry_after_s`
        describe it. The caller decides whether to try again.

        Raises:
            NotMadeError, StillOutError: by a backend that holds asks back, and is stopped.
        """

    async def aclose(self) -> None:
        """Closes connections; the backend is not used afterwards."""


def backend_for(model: Model, beside: Iterable[Model] = ()) -> Backend:
    """The backend of a model. The first hosted one of a process imports litellm, which takes
    seconds.

    Args:
        beside: other models of the process, whose keys no reply of this one may show either.
    """
    if model.is_offline:
        # Imported late: what asks hosted models has no need of the agents.
        from mirror_ray.providers.scripted import Scripted  # noqa: PLC0415

        return Scripted(model)
    return Hosted(model, beside)
