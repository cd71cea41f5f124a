"""A plan of many models is shown by groups, and by the models that stand out."""

from collections.abc import Callable

from mirror_ray.cli.model_rows import GROUPS_OPTION, ModelRows, model_rows
from mirror_ray.core.identity import Cell
from mirror_ray.engine.driver.model_groups import MOST_MODEL_ROWS
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.duration import Duration, Timetable
from mirror_ray.sweep.estimate import CellEstimate
from mirror_ray.sweep.ranges import FREE, ZERO_RANGE, exactly


def rows(count: int, limits: Callable[[int], Limits], *, every: bool = False) -> list[ModelRows]:
    names = [f"lab-{i % 50}/m-{i}" for i in range(count)]
    models = {
        name: Model(name=name, backend="hosted", target=name, limits=limits(i))
        for i, name in enumerate(names)
    }
    cells = [
        CellEstimate(
            Cell("selfid", "E1", (("subject", name),), None, "paper"), role="subject", model=name,
            episodes=1, ended=0, replies=0, basis="samples", each=ZERO_RANGE, whole=FREE, left=FREE,
            at_most=FREE, spent_usd=0.0, latency_s=None,
        )
        for name in names
    ]  # fmt: skip
    waits = {f"{i}": Duration(exactly(float(i)), "latency") for i in range(count)}
    times = Timetable(Duration(ZERO_RANGE, ""), waits, (), ())
    return model_rows(cells, models, times, every=every)


def test_few_models_have_a_row_each_and_all_have_where_that_is_asked() -> None:
    assert len(rows(MOST_MODEL_ROWS, lambda i: Limits(f"{i}"))) == MOST_MODEL_ROWS
    assert len(rows(1_000, lambda i: Limits(f"{i}"), every=True)) == 1_000


def test_many_are_grouped_however_their_limits_differ() -> None:
    for limits in (lambda i: Limits(f"{i}"), lambda i: Limits(f"{i}", rpm=float(i + 1))):
        found = rows(1_000, limits)
        groups = [row for row in found if row.section == GROUPS_OPTION]
        assert len(groups) <= MOST_MODEL_ROWS
        assert sum(len(row.models) for row in groups) == 1_000
        # Nothing costs anything; the slowest stand out.
        slowest = [row.label for row in found if row.section == "slowest"]
        assert slowest == [f"lab-{i % 50}/m-{i}" for i in range(999, 989, -1)]
        assert len(found) == len(groups) + 10
