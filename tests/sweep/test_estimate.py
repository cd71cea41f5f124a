"""What a sweep is expected to use, cost and take, each figure computed by hand."""

from math import hypot, sqrt
from pathlib import Path

import pytest

from mirror_ray.providers.model import Limits, Model
from mirror_ray.records.usage import NO_USAGE, AskUsage, EpisodeUsage, Usage
from mirror_ray.sweep.duration import timetable
from mirror_ray.sweep.estimate import CellEstimate, estimate
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range, known_bills_usd
from mirror_ray.sweep.sampling import KindSample, Samples, kind_of
from support.plans import plan_of

SAMPLE = KindSample(
    episodes=2,
    asks=Range(10, 20, 40),
    max_asks=200,
    prompt_chars=1600,
    longest_chars=2000,
    reply_chars=400,
    reply_tokens=1024,
    images_px=((640, 480),),
)
TEXT, IMAGE = 1600 / 4, 425.0


def model(name: str = "openai/gpt-4o", **settings: object) -> Model:
    values = {"usd_per_mtok_in": 1.0, "usd_per_mtok_out": 2.0} | settings
    return Model(name, "hosted", name, values.pop("limits", Limits(name)), **values)


def samples_for(plan: Plan, sample: KindSample = SAMPLE) -> Samples:
    kinds = {kind_of(cell): sample for cell in plan.cells}
    return Samples(kinds, image_bytes=20_000, drawing_s=0.01, thinking_s=0.0, trouble=None)


def plan_for(tmp_path: Path, *models: Model, conditions: tuple[str, ...] = ("E1",)) -> Plan:
    return plan_of(tmp_path / "run", models, conditions=conditions, seeds=4)


def one_cell(tmp_path: Path, its_model: Model, usage: Usage = NO_USAGE) -> CellEstimate:
    plan = plan_for(tmp_path, its_model)
    (cell,) = estimate(plan, samples_for(plan), usage)
    return cell


def test_before_any_reply_samples_and_formulas_count(tmp_path: Path) -> None:
    cell = one_cell(tmp_path, model())
    assert cell.basis == "samples"
    assert cell.whole.calls == Range(40, 80, 160)
    assert cell.whole.tokens_in.expected == pytest.approx(80 * (TEXT + IMAGE))
    assert cell.whole.tokens_image.expected == pytest.approx(80 * IMAGE)
    # Between the tersest agent's 100 tokens and the bound of 1024: the geometric middle.
    assert cell.whole.tokens_out.expected == pytest.approx(80 * sqrt(100 * 1024))
    assert cell.whole.cost_usd.expected == pytest.approx(80 * (825 * 1e-6 + 320 * 2e-6))


def test_upper_bounds_hold_every_ask_at_its_dearest(tmp_path: Path) -> None:
    most = one_cell(tmp_path, model()).at_most
    assert most.calls.high == 4 * 200
    assert most.tokens_in.high == pytest.approx(800 * (1.5 * 2000 / 3 + IMAGE))
    assert most.tokens_out.high == 800 * 1024
    assert most.cost_usd.high == pytest.approx(800 * (1425 * 1e-6 + 1024 * 2e-6))


def test_room_to_think_is_counted(tmp_path: Path) -> None:
    cell = one_cell(tmp_path, model(max_tokens=8192))
    assert cell.whole.tokens_out.expected == pytest.approx(80 * sqrt(100 * 8192))
    assert cell.at_most.tokens_out.high == 800 * 8192


def test_an_unknown_price_is_none_and_the_sum_says_so(tmp_path: Path) -> None:
    unpriced = model("openrouter/some/model", usd_per_mtok_in=None, usd_per_mtok_out=None)
    plan = plan_for(tmp_path, model(), unpriced)
    cells = estimate(plan, samples_for(plan), NO_USAGE)
    assert cells[1].whole.cost_usd is None
    assert cells[1].at_most.cost_usd is None
    cost, all_known = known_bills_usd([cell.whole for cell in cells])
    assert (cost, all_known) == (cells[0].whole.cost_usd, False)


def test_an_offline_agent_is_free_and_reads_no_tokens(tmp_path: Path) -> None:
    agent = Model("scripted/blind", "scripted", "blind", Limits("scripted/blind"))
    cell = one_cell(tmp_path, agent)
    assert cell.whole.tokens_in is None
    assert cell.whole.cost_usd == Range(0, 0, 0)


def test_the_first_usage_recalibrates_pictures(tmp_path: Path) -> None:
    """Three asks of an episode under way: 700 tokens each where the text has 400."""
    plan = plan_for(tmp_path, model(), conditions=("E1", "E2"))
    begun = plan.episodes[0].episode_id
    asks = tuple(AskUsage(begun, 1600, 700, None, 2.0) for _ in range(3))
    usage = Usage({begun: EpisodeUsage(3, False, 2100, 150, None)}, asks)
    for cell in estimate(plan, samples_for(plan), usage):
        assert cell.basis == "replies"
        assert cell.whole.calls.expected == 80
        assert cell.whole.tokens_in.expected == pytest.approx(80 * 700)
        assert cell.whole.tokens_image.expected == pytest.approx(80 * 300)
        assert cell.whole.tokens_out.expected == pytest.approx(80 * 50)
        assert cell.latency_s == Range(2.0, 2.0, 2.0)


def test_ended_episodes_count_as_they_were_and_tell_of_the_rest(tmp_path: Path) -> None:
    plan = plan_of(tmp_path / "run", [model()], conditions=("E1",), seeds=6)
    ids = [spec.episode_id for spec in plan.episodes]
    usage = Usage({each: EpisodeUsage(12, True, 6000, 600, 0.01) for each in ids[:4]}, ())
    (cell,) = estimate(plan, samples_for(plan), usage)
    assert (cell.basis, cell.ended, cell.spent_usd) == ("episodes", 4, pytest.approx(0.04))
    # All alike: two more of the same, without a doubt.
    assert cell.whole.calls.expected == pytest.approx(6 * 12)
    assert cell.whole.tokens_in.expected == pytest.approx(6 * 6000)
    assert cell.left.tokens_out.expected == pytest.approx(2 * 600)
    assert cell.whole.cost_usd.expected == pytest.approx(0.06)
    assert cell.at_most.calls.high == 4 * 12 + 2 * 200


def test_bills_tell_a_price_that_the_catalogue_does_not(tmp_path: Path) -> None:
    unpriced = model("openrouter/some/model", usd_per_mtok_in=None, usd_per_mtok_out=None)
    plan = plan_for(tmp_path, unpriced)
    begun = plan.episodes[0].episode_id
    usage = Usage({begun: EpisodeUsage(5, False, 4000, 100, 0.05)}, ())
    (cell,) = estimate(plan, samples_for(plan), usage)
    assert cell.whole.cost_usd is not None
    assert cell.whole.cost_usd.expected == pytest.approx(80 * 0.01)


def test_a_finished_sweep_has_nothing_left(tmp_path: Path) -> None:
    plan = plan_for(tmp_path, model())
    usage = Usage(
        {spec.episode_id: EpisodeUsage(9, True, 900, 90, 0.5) for spec in plan.episodes}, ()
    )
    (cell,) = estimate(plan, samples_for(plan), usage)
    assert cell.left.calls == Range(0, 0, 0)
    assert cell.whole.cost_usd == cell.at_most.cost_usd == Range(2.0, 2.0, 2.0)
    assert timetable(plan, [cell], samples_for(plan), 2).whole.time_s == Range(0, 0, 0)


@pytest.mark.parametrize(
    ("limits", "bound_by", "expected_s"),
    [
        ({"rpm": 0.5}, "requests a minute", 80 / 0.5 * 60),
        ({"rpm": 600, "tpm": 1000}, "tokens a minute", 80 * (825 + 320) / 1000 * 60),
        ({"rpm": 600, "rpd": 30}, "requests a day", 2 * 86_400),  # 30 + 30 + 20: two midnights
        ({"concurrency": 1}, "calls at once", 80 * 5.0),
        ({"rpm": 600}, "the longest episode", 20 * 5.0),
    ],
)
def test_the_slowest_demand_is_the_time(
    tmp_path: Path, limits: dict[str, float], bound_by: str, expected_s: float
) -> None:
    plan = plan_for(tmp_path, model(limits=Limits("key", **limits)))
    samples = samples_for(plan)
    times = timetable(plan, estimate(plan, samples, NO_USAGE), samples, simulators=2)
    assert times.keys["key"].bound_by == bound_by
    assert times.keys["key"].time_s.expected == pytest.approx(expected_s)
    assert times.whole.bound_by == f"key: {bound_by}"
    assert times.unlimited == (() if "rpm" in limits else ("key",))


def test_keys_are_asked_side_by_side_and_models_of_one_key_are_not(tmp_path: Path) -> None:
    slow, quick = Limits("slow", rpm=10), Limits("quick", rpm=100)
    models = [model("a", limits=slow), model("b", limits=slow), model("c", limits=quick)]
    plan = plan_for(tmp_path, *models)
    samples = samples_for(plan)
    times = timetable(plan, estimate(plan, samples, NO_USAGE), samples, simulators=2)
    assert times.keys["slow"].time_s.expected == pytest.approx(160 / 10 * 60)
    assert times.whole.time_s.expected == times.keys["slow"].time_s.expected


def test_drawing_may_be_what_takes_longest(tmp_path: Path) -> None:
    agent = Model("scripted/mute", "scripted", "mute", Limits("scripted/mute"))
    plan = plan_for(tmp_path, agent)
    samples = samples_for(plan)
    times = timetable(plan, estimate(plan, samples, NO_USAGE), samples, simulators=2)
    assert times.whole.bound_by == "drawing"
    assert times.whole.time_s.expected == pytest.approx(80 * 0.01 / 2)


def test_the_cells_of_a_plan_err_apart_once_each_has_episodes_of_its_own(tmp_path: Path) -> None:
    plan = plan_of(tmp_path / "run", [model()], conditions=("E1", "E2"), seeds=20)
    ids = [spec.episode_id for spec in plan.episodes][:20]
    usage = Usage(
        {
            each: EpisodeUsage(n, True, 500 * n, 50 * n, 0.001 * n)
            for n, each in enumerate(ids, start=1)
        },
        (),
    )
    cells = estimate(plan, samples_for(plan), usage)
    assert {cell.basis for cell in cells} == {"episodes"}
    one, other = (cell.whole.cost_usd for cell in cells)
    cost, _ = known_bills_usd([cell.whole for cell in cells])
    assert cost.expected == pytest.approx(one.expected + other.expected)
    assert cost.expected - cost.low == pytest.approx(
        hypot(one.expected - one.low, other.expected - other.low)
    )
    # What samples say of one cell is as wrong of the other.
    plain = estimate(plan, samples_for(plan), NO_USAGE)
    cost, _ = known_bills_usd([cell.whole for cell in plain])
    assert cost.low == pytest.approx(sum(cell.whole.cost_usd.low for cell in plain))


def test_calls_of_an_episode_follow_one_another(tmp_path: Path) -> None:
    """Of four places, each may be left empty for half an episode at the end."""
    bounded = model(limits=Limits("k", concurrency=4))
    plan = plan_of(tmp_path / "run", [bounded], conditions=("E1",), seeds=40)
    ids = [spec.episode_id for spec in plan.episodes]
    usage = Usage(
        {each: EpisodeUsage(10, True, 5000, 500, 0.01) for each in ids[:4]},
        tuple(AskUsage(each, 1600, 700, None, 2.0) for each in ids[:4]),
    )
    samples = samples_for(plan)
    cells = estimate(plan, samples, usage)
    (left,) = (cell.left.calls * 2.0 for cell in cells)
    time_s = timetable(plan, cells, samples, simulators=64).keys["k"].time_s
    half_s = 4 * cells[0].each.expected * 2.0 / 2
    assert time_s.high == pytest.approx(
        (left.expected + hypot(left.high - left.expected, half_s)) / 4
    )
