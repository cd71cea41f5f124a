"""What `plan` expects after a part of a sweep is what the whole sweep then uses."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.records.usage import NO_USAGE, usage_of
from mirror_ray.sweep.estimate import estimate
from mirror_ray.sweep.ranges import together
from mirror_ray.sweep.sampling import sample_scenes
from support.plans import hosted, plan_of
from support.shard_rows import rows_of

pytestmark = pytest.mark.thorough("sweep/ reckons with rows that were written for it")

SERVER_TOKENS_PER_IMAGE = 425


@pytest.fixture(scope="module")
def story(tmp_path_factory, ray_session, loopback):
    """A plan; what is expected before, and after its first scenes; and the rows of all of it."""
    out = tmp_path_factory.mktemp("plan") / "out"
    plan = plan_of(
        out,
        [hosted(loopback, "blind")],
        conditions=("E1", "E5"),
        seeds=12,
        axes=(("max_steps", 16),),
    )
    samples = sample_scenes(plan.episodes)
    before = estimate(plan, samples, NO_USAGE)
    quiet = {"console": Console(file=StringIO()), "plain": True}
    assert play_plan(replace(plan, episodes=plan.episodes[:12]), **quiet).exit_code == 0
    after = estimate(plan, samples, usage_of(str(out), plan.sweep.resolved))
    assert play_plan(plan, **quiet).exit_code == 0
    finally_ = estimate(plan, samples, usage_of(str(out), plan.sweep.resolved))
    return before, after, finally_, rows_of(out, "steps")


def sums(rows):
    return {
        "calls": len(rows),
        "tokens_in": sum(row["tokens_in"] for row in rows),
        "tokens_out": sum(row["tokens_out"] for row in rows),
        "cost_usd": sum(row["cost_usd"] for row in rows),
    }


def test_the_rest_is_within_the_interval_of_the_first_part(story):
    _, after, _, rows = story
    expected = together([cell.whole for cell in after])
    assert [cell.ended for cell in after] == [6, 6]
    for name, used in sums(rows).items():
        interval = getattr(expected, name)
        assert interval.low < used < interval.high, name


def test_the_interval_narrows_and_pictures_are_calibrated(story):
    before, after, _, rows = story
    for earlier, later in zip(before, after, strict=True):
        wide, narrow = earlier.whole.cost_usd, later.whole.cost_usd
        assert narrow.high - narrow.low < wide.high - wide.low
        # The formula of an unknown maker is not this server's; its replies say 425.
        told = later.whole.tokens_image.expected / later.whole.calls.expected
        assert told == pytest.approx(SERVER_TOKENS_PER_IMAGE)
        assert earlier.whole.tokens_image.expected / earlier.whole.calls.expected != told
    per_ask = sum(row["tokens_in"] for row in rows) / len(rows)
    left = together([cell.left for cell in after])
    assert left.tokens_in.expected / left.calls.expected == pytest.approx(per_ask, rel=0.02)


def test_a_finished_sweep_is_told_as_it_was(story):
    _, _, finally_, rows = story
    whole = together([cell.whole for cell in finally_])
    for name, used in sums(rows).items():
        told = getattr(whole, name)
        assert told.low == told.high == pytest.approx(used), name
    assert together([cell.left for cell in finally_]).calls.high == 0


def test_nothing_exceeds_the_upper_bounds(story):
    before, _, _, rows = story
    most = together([cell.at_most for cell in before])
    for name, used in sums(rows).items():
        assert used < getattr(most, name).high, name
