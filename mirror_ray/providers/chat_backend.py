"""The interface for backends in other packages, which call models in their own way:
`mirror_ray.backends`.

An entry point names a callable that gets the `Model` of a catalogue entry with ``backend: NAME``
and returns a `ChatBackend`. Pacing, budgets, retries, redaction, parsing and recording are those of
all hosted models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, cast

from mirror_ray.core.errors import PluginError, SweepError
from mirror_ray.core.plugins import Extended, Plugin
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.providers.model import Model


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt at one request.

    Args:
        body: the request of OpenAI's ``/chat/completions``: ``model`` (the entry's target),
            ``messages`` with pictures as data URLs, the bound on tokens, and temperature, seed and
            ``response_format`` as far as the entry says that the model accepts them; then the
            entry's `extra`. It contains no ground truth.
        api_key: the value of the entry's `api_key_env`, if it has one.
        headers: from the entry's `extra` and `extra_headers_env`.
    """

    body: Mapping[str, Any]
    api_key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


class ChatBackend(Protocol):
    """One model, called from one event loop; it must not block the loop's other models."""

    async def complete(self, call: Call) -> bytes | Mapping[str, Any]:
        """Make exactly one attempt; it is cancelled after the entry's `timeout_s`.

        Returns:
            A chat completion in OpenAI's form, as JSON or as a mapping. Each field is typed and
                bounded before use; ``usage`` is the basis of pricing and pacing, and
                ``usage.cost``, in dollars, takes precedence over the entry's prices.

        Raises:
            HttpError: the call failed with a status, which decides whether it is retried.
            ConnectionError, TimeoutError: it did not come through and is retried.
            Exception: any other fails the request alone.
        """

    async def aclose(self) -> None:
        """Close open connections."""


MakeBackend: TypeAlias = Callable[[Model], ChatBackend]


def _plugged_in(plugin: Plugin, make: Any) -> MakeBackend:
    if not callable(make):
        raise PluginError(
            f"{plugin.words}: names no backend",
            repr(make)[:200],
            "a class or function Model -> ChatBackend",
            "correct the entry point",
        )
    return cast("MakeBackend", make)


BACKENDS: Mapping[str, MakeBackend] = Extended("backends", {}, _plugged_in)
"""Makes the backend of a model, by the name of another package's backend."""


def require_backend(model: Model, where: str) -> None:
    """Import the backend of another package that a model needs, if any.

    Args:
        where: file and key that name it, for the error.

    Raises:
        SweepError: it is not installed.
        PluginError: it cannot be used.
    """
    if model.plugin is None:
        return
    try:
        BACKENDS[model.plugin]
    except KeyError:
        raise SweepError(
            f"{where}.backend",
            f"{model.plugin!r}, which no package here brings",
            ", ".join(BACKENDS) or "a backend of an installed package (none is installed)",
            did_you_mean(model.plugin, BACKENDS)
            or f"pip install the package whose entry point mirror_ray.backends is {model.plugin}",
        ) from None
