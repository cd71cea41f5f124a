"""Whatever a model says, its record reads as the live episode did: through Parquet and back."""

import asyncio
import json
from io import BytesIO

import pyarrow.parquet as pq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Reply
from mirror_ray.engine.rollout import rollout
from mirror_ray.records.rows.arrow import table_of
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.records.shards.reader import SealedBatch
from mirror_ray.replay.rescore_batch import rescored_batch
from support.recorded_run import draw_nothing

FAMILY = FAMILIES["selfid"]

anything = st.text(st.characters(exclude_categories=()), max_size=60)
decisions = st.fixed_dictionaries(
    {
        "action": st.sampled_from(["w", "a", "Forward", "done"]) | anything,
        "identification": st.sampled_from(["red", "UNKNOWN", "I am blue"]) | anything,
    },
    optional={
        "view-description": anything,
        "reasoning": anything,
        "summary": anything,
        "selected_cube": st.sampled_from(["none", "red"]) | anything,
    },
)
texts = st.one_of(
    anything,
    decisions.map(json.dumps),
    decisions.map(lambda found: json.dumps(found, ensure_ascii=False)),
    st.tuples(anything, decisions.map(json.dumps), anything).map("".join),
)
replies = st.builds(
    Reply,
    texts,
    finish_reason=st.sampled_from(["stop", "length", None]),
    error_kind=st.sampled_from(["none"] * 6 + sorted(FINAL_KINDS)),
    error=st.none() | anything,
    cost_usd=st.none() | st.floats(0, 1),
)


@settings(max_examples=30)
@given(st.lists(replies, min_size=6, max_size=6), st.sampled_from(["E1", "E5"]))
@example([Reply('{"action": "\ud83d"}')] * 6, "E1")
def test_record_reads_as_it_was_played(said, condition):
    cell = Cell("selfid", condition, (("subject", "m"),), 0.2, "paper", (("max_steps", 3),))
    spec = EpisodeSpec(cell, 0, 0)

    async def ask(request, asked):
        return asked.answered(request, said[request.ask_index - 1])

    played = asyncio.run(rollout(FAMILY, spec, sweep="s", prefix=(), draw=draw_nothing, ask=ask))
    episode = _kept([{**played.episode, "take": 1}], EPISODES, FAMILY.episode_columns)
    steps = _kept([{**row, "take": 1} for row in played.steps], STEPS, FAMILY.step_columns)

    found = rescored_batch(FAMILY, SealedBatch("selfid", episode, steps), {spec.episode_id: spec})

    assert (found.left, found.unfinished) == ((), 0)
    for before, after in (found.steps, found.episodes):
        assert before.equals(after)


def _kept(rows, common, family):
    """A table as a shard gives it back."""
    file = BytesIO()
    pq.write_table(table_of(rows, with_family_columns(common, family), of="test"), file)
    return pq.read_table(file)
