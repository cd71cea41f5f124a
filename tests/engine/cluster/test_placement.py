"""Where Simulators and Providers go: hand-computed, and that nobody is ever given too much."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.engine.cluster.actor_placement import (
    Host,
    HostCapacity,
    capacity_of,
    expected_asks_per_s,
    next_places,
    providers_wanted,
    useful_simulators,
)
from mirror_ray.providers.model import Limits, Model
from support.plans import scripted


def hosted(name: str, rpm: float | None) -> Model:
    return replace(scripted("blind"), name=name, backend="hosted", limits=Limits(name, rpm=rpm))


HEAD = Host("head", "head", cpus=0)
WORKSTATION = Host("w", "w", cpus=16, gpus=2)
CLOUD = Host("g", "g", cpus=4, gpus=1, renderers=4)


def test_one_simulator_per_core_without_gpus():
    assert capacity_of([HEAD, Host("a", "a", cpus=4)]) == {"a": HostCapacity(4, 1.0, 0.0, 0.0)}


def test_several_simulators_share_a_gpu():
    assert capacity_of([WORKSTATION]) == {"w": HostCapacity(16, 1.0, 0.125, 0.0)}


def test_simulators_that_do_not_divide_by_gpus_still_fit():
    # 5 on 2 GPUs: 3 on one, 2 on the other; fifths of two would leave room for 4.
    host = Host("w", "w", cpus=5, gpus=2)
    assert capacity_of([host])["w"].gpus == pytest.approx(0.3333)


def test_gpus_are_left_to_others():
    assert capacity_of([WORKSTATION], draw_on="cpu") == {"w": HostCapacity(16, 1.0, 0.0, 0.0)}


def test_on_gpus_alone_other_hosts_have_no_places():
    hosts = [HEAD, Host("a", "a", cpus=4), WORKSTATION]
    assert capacity_of(hosts, draw_on="gpu").keys() == {"w"}
    assert capacity_of(hosts[:2], draw_on="gpu") == {}


def test_where_renderers_are_named_other_hosts_have_no_places():
    assert capacity_of([WORKSTATION, CLOUD]) == {"g": HostCapacity(4, 1.0, 0.25, 1.0)}


def test_more_simulators_than_cores_share_them():
    capacity = capacity_of([Host("a", "a", cpus=2), Host("b", "b", cpus=1)], wanted=6)
    assert capacity == {"a": HostCapacity(4, 0.5, 0.0, 0.0), "b": HostCapacity(2, 0.5, 0.0, 0.0)}


def test_the_emptiest_host_is_next():
    capacity = capacity_of([Host("a", "a", cpus=4), Host("b", "b", cpus=2)])
    # Shares filled: a 0, 1/4, 2/4 and b 0, 1/2, with a before b at equal shares.
    assert next_places(capacity, {}, 5) == ["a", "b", "a", "a", "b"]
    assert next_places(capacity, {"a": 4}, 5) == ["b"]
    assert next_places(capacity, {"a": 4, "b": 2}, 10) == []


def test_hosts_that_join_are_used_and_lost_ones_make_room():
    capacity = capacity_of([Host("a", "a", cpus=2), Host("new", "new", cpus=2)])
    assert next_places(capacity, {"a": 2}, 4) == ["new", "new"]


@given(
    hosts=st.lists(
        st.builds(
            lambda cpus, gpus, renderers: (cpus, gpus, renderers),
            st.integers(0, 64),
            st.integers(0, 8),
            st.none() | st.integers(0, 64),
        ),
        max_size=6,
    ),
    wanted=st.none() | st.integers(1, 300),
)
def test_no_host_is_asked_for_more_than_it_offers(hosts, wanted):
    hosts = [
        Host(str(index), "h", cpus, gpus, renderers)
        for index, (cpus, gpus, renderers) in enumerate(hosts)
    ]
    capacity = capacity_of(hosts, wanted)
    for host in hosts:
        if (its := capacity.get(host.node_id)) is None:
            continue
        assert its.count * its.cpus <= host.cpus + 1e-9
        assert its.count * its.renderers <= (host.renderers or 0) + 1e-9
        # A fraction comes from a single GPU.
        assert (its.gpus > 0) == (host.gpus > 0)
        if host.gpus:
            assert its.count <= host.gpus * int(1 / its.gpus + 1e-9)
    if capacity and wanted is not None:
        assert len(next_places(capacity, {}, wanted)) == wanted


def useful(*models, **given):
    return useful_simulators(expected_asks_per_s(models), **given)


def test_no_more_simulators_than_models_keep_busy():
    # 600 calls a minute are 10 a second, for which 2 Simulators are meant.
    assert useful(hosted("a", 600), episodes=100) == 2
    assert useful(hosted("a", 600), hosted("b", 600), episodes=100) == 4
    assert useful(hosted("a", 600), episodes=1) == 1
    assert useful(hosted("a", 6), episodes=100) == 1
    assert useful(hosted("a", 600), episodes=0) == useful(scripted("blind"), episodes=0) == 0


def test_an_allowance_larger_than_it_was_taken_for_is_noticed():
    assert useful(hosted("a", None), episodes=100) == 2
    assert useful(hosted("a", None), episodes=100, asks_per_s=20.0) == 8


def test_offline_agents_use_whatever_there_is():
    assert useful(scripted("blind"), hosted("a", 6), episodes=100) == 100


def test_providers_are_beside_the_simulators_they_serve():
    assert providers_wanted(["a"] * 4 + ["b"], {}, None) == ["a", "a", "b"]
    assert providers_wanted(["a"] * 4 + ["b"] * 2, {"a": 2}, None) == ["b"]


def test_a_wanted_number_of_providers_is_kept():
    places = providers_wanted(["a", "a", "b"], {}, 3)
    assert Counter(places) == {"a": 2, "b": 1}
    assert providers_wanted(["a", "b", "c"], {"a": 2, "b": 1}, 3) == []
