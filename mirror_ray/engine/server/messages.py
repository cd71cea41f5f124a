"""The messages of a model server's actor."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

ServerState: TypeAlias = Literal["loading", "ready", "waiting", "failed"]
""""waiting": to be started again. "failed": not started again."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What answers for a model, as far as known.

    Args:
        engine: "vllm", "sglang", or the program's name.
        engine_version: of the engine's package, or as the server states it.
        weights, revision: as in the catalogue.
        weights_revision_found: the commit found for a branch, or if no revision was given.
        argv: the whole command line, without port and host.
        sampling_defaults: the source of sampling parameters that a request does not name.
        chat_template_sha: hash of the template that turns messages into a prompt.
        served: names under which the server knows its models.
        gpus: names of the GPUs, one each.
    """

    engine: str
    engine_version: str | None = None
    weights: str | None = None
    revision: str | None = None
    weights_revision_found: str | None = None
    argv: tuple[str, ...] = ()
    sampling_defaults: str | None = None
    chat_template_sha: str | None = None
    served: tuple[str, ...] = ()
    gpus: tuple[str, ...] = ()
    driver: str | None = None
    host: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """A server's state.

    Args:
        start: an id of the engine's latest start; "" before the first.
        url: its address, once it is ready.
        since_s: seconds in this state.
        trouble: why it was last ended; "" if it never was.
        log: last lines of its output, while it loads or once it has failed.
    """

    state: ServerState
    start: str
    url: str | None = None
    since_s: float = 0.0
    trouble: str = ""
    log: tuple[str, ...] = ()
    facts: ServerFacts | None = None


@dataclass(frozen=True, slots=True)
class ServerPlacement:
    """Where a server listens: `address`, by which other hosts reach its host, and `name`, the
    host's name for people. No log shows the values of the environment variables `secret_names`."""

    address: str
    name: str
    secret_names: frozenset[str] = frozenset()
