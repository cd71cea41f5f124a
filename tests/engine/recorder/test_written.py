"""Rows that fit no column cost their own episode: it is written all the same, as a failed one."""

import math
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Outcome, Reply
from mirror_ray.engine.episode_rows import written_episode
from mirror_ray.engine.rollout import rollout
from mirror_ray.records.rows.codec import RowCodec
from support.engine.tiny_family import Table, play, spec_of, tiny

FAMILY = tiny()


async def played(reply: Reply | None = None, spec=None, family=FAMILY):
    table = Table()

    async def ask(request, asked):
        entry = await table.ask(request, asked)
        return entry if reply is None else replace(entry, reply=reply)

    return await rollout(family, spec or spec_of(), sweep="s", prefix=(), draw=table.draw, ask=ask)


def kept(finished, family=FAMILY) -> tuple[dict, pa.Table]:
    """The episode as a dictionary, and its asks' rows, as they come out of the journal."""
    form = RowCodec(family.name, *family.schemas)
    told, rows = written_episode(form, finished)
    steps, episodes = form.read([(1, rows.rows)])
    (row,) = episodes.to_pylist()
    assert (row["error_kind"], row["error"]) == (told.episode["error_kind"], told.episode["error"])
    assert rows.error_kind == row["error_kind"]
    return row, steps


async def test_what_fits_is_written_as_it_is():
    finished = await played()
    assert written_episode(RowCodec(FAMILY.name, *FAMILY.schemas), finished)[0] is finished
    row, steps = kept(finished)
    assert (row["error_kind"], row["total"] is None, steps.num_rows) == ("none", False, 4)


@pytest.mark.parametrize(
    ("seed", "run"), [(2**63, 0), (-(2**63) - 1, 0), (10**40, 0), (1, 2**31), (10**400, 1)]
)
async def test_an_episode_of_a_number_that_no_column_takes_fails(seed, run):
    spec = replace(spec_of(), scene_seed=1, run=1)
    finished = await played(spec=spec)
    # An identity cannot be made of every such number; a row may hold any.
    odd = {"scene_seed": seed, "run": run}
    finished = replace(
        finished,
        episode={**finished.episode, **odd},
        steps=tuple({**step, **odd} for step in finished.steps),
    )
    row, steps = kept(finished)
    assert (row["error_kind"], row["terminated"], steps.num_rows) == ("internal", False, 4)
    assert "must be int" in row["error"]
    assert row["episode_id"] == spec.episode_id


async def test_a_seed_of_more_than_64_bits_is_played_and_fails():
    spec = EpisodeSpec(spec_of().cell, 2**63, 0)
    row, steps = kept(await played(spec=spec))
    assert (row["error_kind"], steps.num_rows) == ("internal", 4)
    assert "'scene_seed'" in row["error"]


async def test_a_familys_slip_leaves_the_common_columns():
    def careless(spec, rng):
        for ask in play(spec, rng):
            turn = yield ask
            return Outcome(True, False, "none", {"total": 10**5000}, ({"heard": turn.reply},))

    family = tiny(careless)
    row, steps = kept(await played(family=family), family)
    assert (row["error_kind"], row["total"], row["cost_usd"]) == ("internal", None, 0.25)
    assert steps["reply"].to_pylist() == ["3"]
    assert steps["heard"].to_pylist() == [None]


async def test_sums_over_asks_stay_within_their_column():
    row, _ = kept(await played(Reply("1", tokens_in=2**63 - 1, tokens_out=2**60, cost_usd=1e12)))
    found = (row["error_kind"], row["tokens_in"], row["tokens_out"])
    assert found == ("none", None, 2**62)
    assert row["cost_usd"] == 4e12


odd = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text() | st.just({})
)


@settings(max_examples=60)
@given(
    figures=st.dictionaries(
        st.sampled_from(
            ["tokens_in", "tokens_out", "tokens_cached", "cost_usd", "latency_s", "attempts",
             "model_version", "finish_reason", "reasoning", "started_at", "error_kind"]
        ),
        odd,
    )
)  # fmt: skip
async def test_whatever_a_reply_holds_its_episode_is_written(figures):
    row, steps = kept(await played(Reply("1", **figures)))
    assert row["error_kind"] == ("internal" if "error_kind" in figures else "none")
    for column in ("cost_usd", "tokens_in", "latency_s"):
        for value in steps[column].to_pylist():
            assert value is None or 0 <= value < math.inf


@pytest.mark.parametrize("text", [5, None, ["a"], {"type": "text"}, b"x"])
async def test_a_reply_that_is_no_text_fails_its_episode(text):
    row, steps = kept(await played(Reply(text, cost_usd=0.5)))
    assert (row["error_kind"], row["cost_usd"], steps.num_rows) == ("internal", 0.5, 1)
    assert row["error"].startswith("the reply's text is a ")
