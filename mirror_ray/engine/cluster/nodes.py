"""The hosts of the session: which are alive, and whether they run the same code as this host."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import ray
from ray.autoscaler.sdk import request_resources
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mirror_ray.engine.cluster import code_version
from mirror_ray.engine.cluster.actor_placement import Host
from mirror_ray.engine.cluster.code_version import code_differences, code_here
from mirror_ray.engine.rollout import one_line

ASKED_WITHIN_S = 120.0


def hosts_alive() -> list[Host]:
    """Return all nodes that the session counts as alive, in a stable order."""
    nodes = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    return sorted((_host(node) for node in nodes), key=lambda host: (host.name, host.node_id))


def _host(node: Mapping[str, object]) -> Host:
    offers = node["Resources"]
    assert isinstance(offers, Mapping)  # noqa: S101 - Ray's own shape
    return Host(
        node_id=str(node["NodeID"]),
        name=f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']})",
        cpus=offers.get("CPU", 0.0),
        gpus=offers.get("GPU", 0.0),
        renderers=offers.get("renderer"),
        offers=dict(offers),
        address=str(node["NodeManagerAddress"]),
    )


def want_simulators(count: int, *, by_core: bool = False) -> None:
    """Tell the autoscaler, if any, how many are wanted. Set `by_core` if hosts offer only cores."""
    bundle = {"CPU": 1} if by_core else {"CPU": 1, "renderer": 1}
    with suppress(RayError):
        request_resources(bundles=[bundle] * count)


async def mismatched_nodes(
    hosts: Iterable[Host], here: str, plugins: Sequence[str] = ()
) -> dict[str, str]:
    """Return how the code differs from ours, by node id, for every host where it does.

    Args:
        here: this process's own node, which is not asked.
        plugins: packages of plug-ins that the sweep uses.
    """
    ours = code_here(plugins)
    asked = [host for host in hosts if host.node_id != here]
    # Sent as source: on the other host our packages may be missing or differ.
    ray.cloudpickle.register_pickle_by_value(code_version)  # type: ignore[no-untyped-call]
    try:
        replies = await asyncio.gather(*(_differs(host, ours, plugins) for host in asked))
    finally:
        ray.cloudpickle.unregister_pickle_by_value(code_version)  # type: ignore[no-untyped-call]
    return {
        host.node_id: difference
        for host, difference in zip(asked, replies, strict=True)
        if difference
    }


async def ask_host(host: Host, function: Callable[..., Any], *arguments: object) -> Any:
    """Return a function's result on a host. Raise RayError or TimeoutError without an answer."""
    ask: Any = ray.remote(function).options(
        num_cpus=0,
        max_retries=0,
        scheduling_strategy=NodeAffinitySchedulingStrategy(host.node_id, soft=False),
    )
    return await asyncio.wait_for(ask.remote(*arguments), ASKED_WITHIN_S)


async def _differs(host: Host, ours: Mapping[str, str], plugins: Sequence[str]) -> str:
    try:
        theirs: Mapping[str, str] = await ask_host(host, code_here, plugins)
    except (RayError, TimeoutError) as error:
        return f"{host.name}: does not say which code it runs: {one_line(error)}"
    difference = code_differences(theirs, ours)
    return f"{host.name}: {'; '.join(difference)}" if difference else ""
