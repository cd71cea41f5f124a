"""Servers of a run's own models, without Ray: whose episodes are held back, and for how long."""

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from mirror_ray.core.errors import LostError
from mirror_ray.core.identity import Cell
from mirror_ray.engine.cluster.actor_placement import Host
from mirror_ray.engine.cluster.server_actors import Replica
from mirror_ray.engine.driver import fleet, serving
from mirror_ray.engine.driver.fleet import Fleet
from mirror_ray.engine.driver.server_log import ServerLog
from mirror_ray.engine.driver.serving import Serving
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.server.messages import ServerStatus
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.served import Served

HOST = Host("n1", "gpu-1 (10.0.0.1)", cpus=8, gpus=1, offers={"GPU": 1.0})


@dataclass
class Servers:
    """The cluster: what is started there, and what its servers say."""

    served: dict[str, Served]
    says: dict[str, ServerStatus] = field(default_factory=dict)
    running: set[Replica] = field(default_factory=set)
    starts: int = 0

    def start(self, replica: Replica, host: Host):
        self.running.add(replica)
        self.starts += 1

        async def status():
            return self.says.get(replica.model, ServerStatus("loading", "1"))

        return SimpleNamespace(
            status=SimpleNamespace(remote=lambda: asyncio.ensure_future(status()))
        )

    async def stop(self, replica: Replica, *, orderly: bool = True) -> None:
        self.running.discard(replica)

    async def check(self, models, hosts, where) -> None:
        assert not {replica.model for replica in self.running} & set(models), "its port is in use"


@dataclass
class Leases:
    left: dict[str, tuple[int, int]]
    stopped: dict[str, str] = field(default_factory=dict)
    is_draining: bool = False

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


def plan_with(*cells: Cell):
    hosted = Model("openai/x", "hosted", "openai/x", Limits("openai"))
    models = {one.name: one for one in (own("a"), own("b"), hosted)}
    return SimpleNamespace(cells=cells, models=models, sweep=SimpleNamespace(source="own.yaml"))


def serving_of(left, *cells: Cell):
    plan = plan_with(*cells)
    served = {name: one.serve for name, one in plan.models.items() if one.serve}
    servers, leases = Servers(served), Leases(left)
    actors = SimpleNamespace(servers=servers, mismatched={}, providers=())
    made = Serving(plan, actors, leases, Fleet(servers, ServerLog()), lambda: None)
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


async def settle(it: Serving) -> None:
    """Two steps, between which what ends has gone."""
    for _ in range(2):
        await it._step()
        await asyncio.sleep(0)


async def test_a_server_stays_for_a_later_part_until_another_model_waits_for_its_gpu(hosts):
    left = {"a (served)": (9, 0), "b (served)": (0, 0)}
    it, servers, leases = serving_of(left, cell("a"), cell("b"))
    it._fleet.later = frozenset({"a"})
    servers.says["a"] = READY
    await it._step()
    left["a (served)"] = (0, 0)
    await settle(it)
    await it.close()
    assert servers.running == {Replica("a", 0)}, "the next part asks it again"

    left |= {"a (served)": (4, 0)}
    after = Serving(plan_with(cell("a"), cell("b")), it._actors, leases, it._fleet, lambda: None)
    await after.check()
    await settle(after)
    assert (servers.running, servers.starts) == ({Replica("a", 0)}, 1)
    left |= {"a (served)": (0, 0), "b (served)": (1, 0)}
    await settle(after)
    await settle(after)
    assert servers.running == {Replica("b", 0)}
    await after._fleet.close()
    assert servers.running == set()


async def test_a_server_that_nothing_asks_is_kept_no_longer_than_a_start_takes(hosts, monkeypatch):
    now_s = [1_000.0]
    for module in (serving, fleet):
        monkeypatch.setattr(module, "monotonic", lambda: now_s[0])
    left = {"a (served)": (5, 0)}
    it, servers, _ = serving_of(left, cell("a"))
    it._fleet.later = frozenset({"a"})
    await it._step()
    now_s[0] += 300.0
    servers.says["a"] = READY
    await it._step()
    left["a (served)"] = (0, 0)
    await settle(it)
    now_s[0] += 299.0
    await settle(it)
    assert servers.running == {Replica("a", 0)}
    now_s[0] += 2.0
    await settle(it)
    assert servers.running == set()


@pytest.mark.parametrize("end", ["the user stops", "its budget is spent", "the sweep's is spent"])
async def test_nothing_is_kept_for_what_will_not_come(end, hosts):
    left = {"a (served)": (5, 0)}
    it, servers, leases = serving_of(left, cell("a"))
    it._fleet.later = frozenset({"a"})
    await it._step()
    left["a (served)"] = (0, 0)
    if end == "the user stops":
        leases.is_draining = True
    else:
        leases.stop("model:a" if end == "its budget is spent" else SWEEP_SCOPE, end)
    await it.close()
    assert servers.running == set()


async def test_a_model_that_is_set_aside_stays_so_in_the_next_part(hosts):
    left = {"a (served)": (5, 0)}
    it, servers, leases = serving_of(left, cell("a"))
    await it._step()
    servers.says["a"] = ServerStatus("failed", "3", trouble="it ended (exit code 1)")
    await it._step()
    leases.stopped.clear()
    after = Serving(plan_with(cell("a"), cell("b")), it._actors, leases, it._fleet, lambda: None)
    await settle(after)
    assert list(leases.stopped) == ["model:a"]
    assert (servers.running, servers.starts) == (set(), 1)


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
