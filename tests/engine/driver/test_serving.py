"""Servers of a run's own models, without Ray: whose episodes are held back, and for how long."""

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from mirror_ray.engine.cluster.placement import Host
from mirror_ray.engine.cluster.server_actors import Replica
from mirror_ray.engine.driver import serving
from mirror_ray.engine.driver.server_log import ServerLog
from mirror_ray.engine.driver.serving import Serving
from mirror_ray.engine.server.messages import ServerStatus
from mirror_ray.errors import LostError
from mirror_ray.identity import Cell
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.served import Served

HOST = Host("n1", "gpu-1 (10.0.0.1)", cpus=8, gpus=1, offers={"GPU": 1.0})


@dataclass
class Servers:
    """The cluster: what is started there, and what its servers say."""

    served: dict[str, Served]
    says: dict[str, ServerStatus] = field(default_factory=dict)
    running: set[Replica] = field(default_factory=set)

    def start(self, replica: Replica, host: Host):
        self.running.add(replica)

        async def status():
            return self.says.get(replica.model, ServerStatus("loading", "1"))

        return SimpleNamespace(
            status=SimpleNamespace(remote=lambda: asyncio.ensure_future(status()))
        )

    async def stop(self, replica: Replica, *, orderly: bool = True) -> None:
        self.running.discard(replica)


@dataclass
class Leases:
    left: dict[str, tuple[int, int]]
    stopped: dict[str, str] = field(default_factory=dict)

    def stop(self, scope: str, reason: str) -> None:
        self.stopped[scope] = reason


def own(name: str) -> Model:
    how = Served("vllm", name, weights="a/b")
    return Model(name, "hosted", f"hosted_vllm/{name}", Limits(f"{name} (served)"), serve=how)


def cell(*models: str) -> Cell:
    roles = tuple(zip(("subject", "judge"), models, strict=False))
    return Cell("metacog", "exp1", roles, None, "paper", ())


@pytest.fixture
def hosts(monkeypatch):
    there = [HOST]
    monkeypatch.setattr(serving, "hosts_alive", lambda: there)
    return there


def serving_of(left, *cells: Cell):
    hosted = Model("openai/x", "hosted", "openai/x", Limits("openai"))
    models = {one.name: one for one in (own("a"), own("b"), hosted)}
    plan = SimpleNamespace(cells=cells, models=models, sweep=SimpleNamespace(source="own.yaml"))
    served = {name: one.serve for name, one in models.items() if one.serve}
    servers, leases = Servers(served), Leases(left)
    actors = SimpleNamespace(servers=servers, mismatched={}, providers=())
    made = Serving(plan, actors, leases, ServerLog(), lambda: None)
    return made, servers, leases


READY = ServerStatus("ready", "1", url="http://x/v1")


async def test_one_gpu_serves_one_model_after_the_other(hosts):
    left = {"a (served)": (5, 0), "b (served)": (9, 0)}
    it, servers, _ = serving_of(left, cell("a"), cell("b"))
    await it._step()
    assert servers.running == {Replica("b", 0)}
    assert it.held_keys == {"a (served)", "b (served)"}
    servers.says["b"] = READY
    await it._step()
    assert it.held_keys == {"a (served)"}
    left["b (served)"] = (0, 2)
    await it._step()
    assert servers.running == {Replica("b", 0)}, "two of its episodes are being played"
    left["b (served)"] = (0, 0)
    await it._step()
    await asyncio.sleep(0)
    await it._step()
    assert servers.running == {Replica("a", 0)}
    await it.close()
    assert servers.running == set()


async def test_what_needs_no_server_is_never_held(hosts):
    it, _, _ = serving_of({"openai": (5, 0), "a (served)": (1, 0)}, cell("openai/x"), cell("a"))
    await it._step()
    assert it.held_keys == {"a (served)"}


async def test_a_model_that_is_set_aside_holds_back_no_other_of_its_key(hosts):
    # Two judges of the run's own under one key of hosted subjects.
    hosts[0] = Host("n1", "gpu-1 (10.0.0.1)", cpus=8, gpus=2, offers={"GPU": 2.0})
    it, servers, leases = serving_of(
        {"openai": (6, 0)}, cell("openai/x", "a"), cell("openai/x", "b")
    )
    await it._step()
    assert servers.running == {Replica("a", 0), Replica("b", 0)}
    failed = ServerStatus("failed", "3", trouble="it ended (exit code 1)", log=("no memory",))
    servers.says = {"a": failed, "b": READY}
    await it._step()
    assert leases.stopped == {
        "model:a": "its server failed for good: it ended (exit code 1); its last line: no memory"
    }
    assert it.held_keys == frozenset()
    await it._step()
    assert servers.running == {Replica("b", 0)}


async def test_a_lost_host_is_waited_for_but_not_for_ever(hosts, monkeypatch):
    now_s = [1_000.0]
    monkeypatch.setattr(serving, "monotonic", lambda: now_s[0])
    left = {"a (served)": (5, 0)}
    it, servers, _ = serving_of(left, cell("a"))
    await it._step()
    hosts.clear()
    await it._step()
    await asyncio.sleep(0)
    await it._step()
    assert servers.running == set()
    now_s[0] += serving.HOST_WITHIN_S + 1
    left["a (served)"] = (4, 1)
    await it._step()
    left["a (served)"] = (5, 0)
    await it._step()
    now_s[0] += serving.HOST_WITHIN_S + 1
    with pytest.raises(LostError, match="no host has room"):
        await it._step()
