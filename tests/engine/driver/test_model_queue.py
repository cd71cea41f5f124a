"""A queue of models over GPUs: who is started where, and who waits."""

from mirror_ray.engine.cluster.server_actors import Replica
from mirror_ray.engine.driver.model_queue import Unit, next_starts

ONE_HOST = {"n1": {"GPU": 1.0, "CPU": 8.0}}
TWO_HOSTS = {"n1": {"GPU": 4.0}, "n2": {"GPU": 2.0}}


def gpus(**models: float) -> dict[str, dict[str, float]]:
    return {name: ({"GPU": n} if n else {}) for name, n in models.items()}


def units(**episodes: int) -> list[Unit]:
    return [Unit(frozenset({name}), n) for name, n in episodes.items()]


def started(waiting, demands, *, running=None, offers=None, replicas=None, failed=()):
    starts = next_starts(
        waiting,
        demands,
        replicas or dict.fromkeys(demands, 1),
        running=running or {},
        offers=offers or ONE_HOST,
        failed=failed,
    )
    return [(start.replica.model, start.replica.index, start.node_id) for start in starts]


def test_of_one_size_the_model_with_the_most_episodes_goes_first():
    assert started(units(a=10, b=30, c=20), gpus(a=1, b=1, c=1)) == [("b", 0, "n1")]


def test_the_next_waits_until_the_gpu_is_free():
    demands = gpus(a=1, b=1)
    assert started(units(a=1, b=9), demands, running={Replica("a", 0): "n1"}) == []
    assert started(units(a=0, b=9), demands) == [("b", 0, "n1")]


def test_larger_models_go_first_and_smaller_ones_fill_what_is_left():
    demands = gpus(small=1, large=4, medium=2)
    found = started(units(small=99, large=1, medium=5), demands, offers=TWO_HOSTS)
    assert found == [("large", 0, "n1"), ("medium", 0, "n2")]
    found = started(units(small=99, large=1), demands, offers=TWO_HOSTS)
    assert found[:2] == [("large", 0, "n1"), ("small", 0, "n2")]


def test_a_small_model_goes_where_the_fewest_gpus_are_free():
    assert started(units(a=1), gpus(a=1), offers=TWO_HOSTS) == [("a", 0, "n2")]


def test_fractions_share_a_gpu():
    demands = gpus(a=0.5, b=0.5, c=0.5)
    assert started(units(a=3, b=2, c=1), demands) == [("a", 0, "n1"), ("b", 0, "n1")]


def test_models_without_gpus_never_wait():
    demands = gpus(a=0, b=0, c=1)
    found = started(units(a=1, b=1, c=1), demands, running={Replica("c", 0): "n1"})
    assert found == [("a", 0, "n1"), ("b", 0, "n1")]


def test_replicas_take_what_no_waiting_model_needs():
    demands, replicas = gpus(a=1, b=1), {"a": 3, "b": 1}
    offers = {"n1": {"GPU": 2.0}, "n2": {"GPU": 2.0}}
    both = started(units(a=9, b=1), demands, replicas=replicas, offers=offers)
    assert both == [("a", 0, "n1"), ("b", 0, "n1"), ("a", 1, "n2"), ("a", 2, "n2")]
    waits = started(units(a=9, b=1), demands, replicas=replicas)
    assert waits == [("a", 0, "n1")]


def test_models_that_the_same_episodes_ask_start_together_or_not_at_all():
    pair = Unit(frozenset({"writer", "reader"}), 5)
    demands = gpus(writer=1, reader=1, other=1)
    assert started([pair], demands) == []
    assert started([pair, *units(other=1)], demands) == [("other", 0, "n1")]
    two = {"n1": {"GPU": 1.0}, "n2": {"GPU": 1.0}}
    assert started([pair], demands, offers=two) == [("reader", 0, "n1"), ("writer", 0, "n2")]
    running = {Replica("reader", 0): "n1"}
    assert started([pair], demands, offers=two, running=running) == [("writer", 0, "n2")]


def test_a_server_that_has_failed_is_not_started_again():
    failed = {Replica("a", 0)}
    assert started(units(a=5), gpus(a=1), failed=failed) == []
    again = started(units(a=5), gpus(a=1), failed=failed, replicas={"a": 2})
    assert again == [("a", 1, "n1")]


def test_custom_resources_choose_the_host():
    demands = {"a": {"GPU": 1.0, "h100": 1.0}}
    offers = {"n1": {"GPU": 8.0}, "n2": {"GPU": 8.0, "h100": 8.0}}
    assert started(units(a=1), demands, offers=offers) == [("a", 0, "n2")]
