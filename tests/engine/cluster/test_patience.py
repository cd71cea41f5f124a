"""Starting Ray on a busy machine, on a clock of the test's own."""

import inspect

import pytest
from ray._private import node, services

from mirror_ray.core.errors import LostError
from mirror_ray.engine.cluster import ray_processes
from mirror_ray.engine.cluster.ray_processes import SAID_AFTER_S, STARTS_WITHIN_S, patient


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which passes by a second with each look at a raylet that is not up."""
    now = [0.0]

    def get_node(*_: object) -> str:
        if now[0] < now[1]:
            raise RuntimeError("no node info")
        return "up"

    def sleep(_: float) -> None:
        now[0] += 1.0

    now.append(0.0)
    monkeypatch.setattr(services, "get_node", get_node)
    monkeypatch.setattr(ray_processes, "monotonic", lambda: now[0])
    monkeypatch.setattr(ray_processes, "sleep", sleep)
    monkeypatch.setattr(ray_processes, "_raylet_lives", lambda: True)
    return now


@pytest.mark.parametrize(("up_after_s", "lines"), [(1, 0), (SAID_AFTER_S + 5, 1), (500, 1)])
def test_a_late_raylet_is_waited_for(slow: list[float], up_after_s: float, lines: int) -> None:
    slow[1] = up_after_s
    said: list[str] = []
    before = services.get_node
    with patient(said.append):
        assert services.get_node("address", "id") == "up"
    assert len(said) == lines
    assert all("busy" in line for line in said)
    assert services.get_node is before


def test_but_not_for_ever(slow: list[float]) -> None:
    slow[1] = 10 * STARTS_WITHIN_S
    with patient(lambda _: None), pytest.raises(RuntimeError, match="no node info"):
        services.get_node("address", "id")
    assert slow[0] == pytest.approx(STARTS_WITHIN_S, abs=2)


def test_and_not_for_a_raylet_that_has_died(
    slow: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow[1] = STARTS_WITHIN_S
    monkeypatch.setattr(ray_processes, "_raylet_lives", lambda: False)
    with patient(lambda _: None), pytest.raises(LostError, match="raylet has died"):
        services.get_node("address", "id")
    assert slow[0] == 0


def test_ray_asks_for_its_raylet_where_the_patience_is() -> None:
    assert "services.get_node(" in inspect.getsource(node.Node.__init__)
