"""An episode of two models: each ask goes to the model of its role, and is recorded as its own."""

import asyncio
import json
from collections.abc import Sequence

import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.rollout import Asked, rollout
from mirror_ray.families.dyad.family import FAMILY
from mirror_ray.records.journal.entry import Entry, read_entry, recorded_partner, write_entry
from mirror_ray.records.rows.finished import FinishedEpisode
from support.recorded_run import draw_nothing

MODELS = (("subject", "lab/a"), ("partner", "lab/b"))
SPEC = EpisodeSpec(Cell("dyad", "talk", MODELS, 0.2, "plain", (("max_steps", 3),)), 0, 0)
COST_USD = {"lab/a": 0.25, "lab/b": 0.5}


def played(prefix: Sequence[Entry]) -> tuple[FinishedEpisode, list[Entry]]:
    """The episode, and what was asked live."""
    live: list[Entry] = []

    async def ask(request: Request, asked: Asked) -> Entry:
        reply = {"action": "a", "identification": "red", "tell": "blue", "selected_cube": "none"}
        entry = asked.answered(
            request,
            Reply(json.dumps(reply), finish_reason="stop", cost_usd=COST_USD[request.model]),
        )
        live.append(entry)
        return entry

    finished = asyncio.run(
        rollout(FAMILY, SPEC, sweep="s", prefix=prefix, draw=draw_nothing, ask=ask)
    )
    return finished, live


def test_each_ask_goes_to_the_model_of_its_role_and_none_is_bought_twice() -> None:
    whole, live = played(())
    rows = whole.steps
    assert [(row["role"], row["model"]) for row in rows] == [*MODELS] * 3
    assert whole.episode["model"] == "lab/a"
    assert whole.episode["partner"] == "lab/b"
    assert whole.episode["variant"] == "plain+partner=lab/b+max_steps=3"
    assert whole.episode["cost_usd"] == 3 * (0.25 + 0.5)
    assert sum(row["cost_usd"] for row in rows if row["model"] == "lab/b") == 1.5
    for recorded in range(len(live) + 1):
        again, bought = played(live[:recorded])
        assert len(bought) == len(live) - recorded
        assert again.steps == rows


def test_the_journal_states_who_was_asked_where_that_is_not_the_episodes_own() -> None:
    """Until rows are written nothing else does: money and asks are told apart by it."""
    _, live = played(())
    written = [write_entry(entry) for entry in live]
    assert [recorded_partner(one.reply) for one in written] == [None, "lab/b"] * 3
    assert [read_entry(one) for one in written] == live


@pytest.mark.parametrize(
    "reply", ['{"text": "", "beside": 7}', '{"text": "", "beside":', '["beside":]', '"beside":', ""]
)
def test_a_damaged_reply_states_nobody(reply: str) -> None:
    assert recorded_partner(reply) is None


def test_what_a_model_writes_names_nobody() -> None:
    entry = Entry("e", 1, "p", None, {}, Reply('{"beside": "lab/x"}, "beside":"lab/x"'))
    assert recorded_partner(write_entry(entry).reply) is None
