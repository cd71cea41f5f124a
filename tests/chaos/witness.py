"""The witness server, seen from outside: which calls it took, for which ask, and when."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from json import load
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from urllib.request import urlopen

from mirror_ray.providers.hosted_call import sampling_seed
from support.loopback import Loopback, loopback_server

PROGRAM = Path(__file__).with_name("witness_server.py")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the server took, with times on the steady clock; not answered: under way."""

    number: int
    seed: int
    taken_s: float
    answered_s: float | None
    text: str
    usd: float


@dataclass(frozen=True, slots=True)
class Witness:
    """A running witness server."""

    server: Loopback

    def count(self) -> int:
        return int(self.server.stats()["calls"])

    def calls(self) -> tuple[Call, ...]:
        return tuple(Call(**one) for one in self._get("calls"))

    def calls_of_the_dead(self) -> tuple[Call, ...]:
        """All calls, once whatever the dead have sent has arrived."""
        connected = set(self._get("peers"))
        while connected & set(self._get("peers")):
            sleep(0.01)
        return self.calls()

    def _get(self, what: str) -> list:
        with urlopen(f"http://127.0.0.1:{self.server.port}/{what}") as reply:
            return load(reply)


@contextmanager
def witness_server(*, sampled: bool, latency_s: float) -> Iterator[Witness]:
    arguments = ["--latency-s", str(latency_s), *(["--sampled"] if sampled else [])]
    with loopback_server(*arguments, program=PROGRAM) as server:
        yield Witness(server)


def seed_of(episode_id: str, ask: int) -> int:
    """What tells the calls of one ask from those of all others."""
    return sampling_seed(SimpleNamespace(episode_id=episode_id, ask_index=ask))
