"""One episode, live and from its record: the same rows, and nothing bought twice."""

from dataclasses import replace

import pytest

from mirror_ray.core.errors import EngineError, RenderError
from mirror_ray.core.types import Outcome, Reply
from mirror_ray.engine.rollout import Stopped, abandoned, rollout
from mirror_ray.records.rows.arrow import table_of
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from support.engine.tiny_family import MODEL, Table, play, spec_of, tiny

TIMINGS = {"wall_s", "finished_at"}


async def played(table, family=None, prefix=(), spec=None):
    return await rollout(
        family or tiny(),
        spec or spec_of(),
        sweep="s",
        prefix=prefix,
        draw=table.draw,
        ask=table.ask,
    )


def lasting(finished):
    """The rows without what a clock says."""
    return {k: v for k, v in finished.episode.items() if k not in TIMINGS}, finished.steps


async def test_rows_say_what_happened():
    table = Table(["3", "4", "stop"])
    finished = await played(table)
    first_total = int(spec_of().rng().integers(100))
    assert finished.steps[0]["user"] == f"so far {first_total}"
    assert [step["heard"] for step in finished.steps] == ["3", "4", "stop"]
    assert [step["ask"] for step in finished.steps] == [1, 2, 3]
    assert finished.steps[0]["frame_sha"] == f"{first_total % 256:064x}"
    assert [view.level for view in table.drawn] == [
        int(step["user"].split()[-1]) % 256 for step in finished.steps
    ]
    episode = finished.episode
    assert (episode["n_steps"], episode["n_asks"]) == (3, 3)
    assert (episode["terminated"], episode["truncated"], episode["error_kind"]) == (
        True,
        False,
        "none",
    )
    assert episode["cost_usd"] == 0.75
    assert episode["tokens_out"] == 3
    assert episode["variant"] == "plain"
    assert episode["model"] == MODEL


async def test_rows_fit_the_schema():
    finished = await played(Table())
    family = tiny()
    steps = [{**row, "take": 1} for row in finished.steps]
    whole = [{**finished.episode, "take": 1}]
    assert table_of(steps, with_family_columns(STEPS, family.step_columns), of="").num_rows == 4
    assert table_of(whole, with_family_columns(EPISODES, family.episode_columns), of="").num_rows


async def test_request_carries_what_the_model_gets():
    table = Table(["stop"])
    await played(table)
    (request,) = table.requests
    assert (request.model, request.temperature, request.ask_index) == (MODEL, 0.5, 1)
    assert request.images[0].data == bytes([table.drawn[0].level])


async def test_what_stands_for_an_ask_brings_what_was_seen_then():
    table = Table()

    async def asked_before(request, asked):
        entry = await table.ask(request, asked)
        return replace(entry, frame_sha="of another host")

    finished = await rollout(
        tiny(), spec_of(), sweep="s", prefix=(), draw=table.draw, ask=asked_before
    )
    assert {step["frame_sha"] for step in finished.steps} == {"of another host"}


@pytest.mark.parametrize("recorded", range(5))
async def test_resumed_episode_is_the_same_and_buys_only_the_rest(recorded):
    whole = Table()
    expected = await played(whole)
    rest = Table()
    finished = await played(rest, prefix=whole.entries[:recorded])
    assert lasting(finished) == lasting(expected)
    assert [request.ask_index for request in rest.requests] == list(range(recorded + 1, 5))
    assert len(rest.drawn) == 4 - recorded


async def test_record_of_other_words_is_an_error_and_no_purchase():
    recorded = Table()
    await played(recorded)

    def play_otherwise(spec, rng):
        rng.integers(100)
        return play(spec, rng)

    table = Table()
    finished = await played(table, family=tiny(play_otherwise), prefix=recorded.entries)
    assert finished.episode["error_kind"] == "internal"
    assert "other words" in finished.episode["error"]
    assert finished.steps == ()
    assert table.requests == []


async def test_api_failure_ends_the_episode_with_its_kind_and_words():
    table = Table()

    async def fail(request, asked):
        reply = Reply("", error_kind="budget", error="the budget is spent")
        return asked.answered(request, reply)

    finished = await rollout(tiny(), spec_of(), sweep="s", prefix=(), draw=table.draw, ask=fail)
    assert finished.episode["error_kind"] == "budget"
    assert finished.episode["error"] == "the budget is spent"
    assert finished.episode["cost_usd"] is None
    assert finished.steps[0]["error_kind"] == "budget"


async def test_picture_that_cannot_be_drawn_fails_the_episode_and_keeps_its_asks():
    table = Table()

    async def draw_once(view):
        if table.drawn:
            raise RenderError("no pixels\nat all")
        return await table.draw(view)

    finished = await rollout(tiny(), spec_of(), sweep="s", prefix=(), draw=draw_once, ask=table.ask)
    assert finished.episode["error_kind"] == "render"
    assert finished.episode["error"] == "RenderError: no pixels at all"
    assert finished.episode["total"] is None
    assert [step["reply"] for step in finished.steps] == ["3"]
    assert finished.steps[0]["heard"] is None
    assert finished.steps[0]["superseded"] is False


async def test_mistake_of_a_family_costs_its_own_episode():
    finished = await played(Table(["three"]))
    assert finished.episode["error_kind"] == "internal"
    assert finished.episode["error"].startswith("ValueError: invalid literal")
    assert [step["reply"] for step in finished.steps] == ["three"]


@pytest.mark.parametrize(
    ("fields", "n_rows", "complaint"),
    [({"tatol": 1}, 1, "tatol"), ({"total": 1}, 0, "0 step rows for 1 asks")],
)
async def test_rows_that_do_not_fit_the_family_are_refused(fields, n_rows, complaint):
    def careless(spec, rng):
        for ask in play(spec, rng):
            yield ask
            return Outcome(True, False, "none", fields, ({"heard": "x"},) * n_rows)

    finished = await played(Table(), family=tiny(careless))
    assert finished.episode["error_kind"] == "internal"
    assert complaint in finished.episode["error"]


@pytest.mark.parametrize("order", [Stopped, EngineError])
async def test_orders_of_the_engine_pass_through(order):
    table = Table()

    async def refuse(request, asked):
        raise order("now")

    with pytest.raises(order):
        await rollout(tiny(), spec_of(), sweep="s", prefix=(), draw=table.draw, ask=refuse)


async def test_abandoned_episode_keeps_its_recorded_asks():
    recorded = Table()
    await played(recorded)
    rows = await abandoned(
        tiny(), spec_of(), sweep="s", prefix=recorded.entries[:2], reason="given up"
    )
    assert (rows.episode["error_kind"], rows.episode["error"]) == ("internal", "given up")
    assert [step["reply"] for step in rows.steps] == ["3", "4"]
    assert rows.episode["wall_s"] is None
