"""Who replies for a model: one attempt per request, whoever serves it.

Knows which backend a model names; does not import litellm for one that needs no network.
"""

from typing import Protocol

from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Model
from mirror_ray.providers.scripted import Scripted
from mirror_ray.types import Reply, Request


class Backend(Protocol):
    """One model, ready to be asked from one event loop."""

    async def reply(self, request: Request) -> Reply:
        """Exactly one attempt, within the model's `timeout_s`.

        Trouble with the API is not raised but told in the reply's `error_kind`, `error` and
        `retry_after_s`; whether to try again is the caller's decision.
        """
        ...

    async def aclose(self) -> None:
        """Gives back connections; the backend is not asked again."""
        ...


def backend_for(model: Model) -> Backend:
    """The backend of a model. The first hosted one of a process costs litellm's import, seconds."""
    if model.backend == "scripted":
        return Scripted(model)
    return Hosted(model)
