"""An episode of two models: each ask goes to the model of its role, and is recorded as its own."""

import asyncio
import json
from collections.abc import Sequence

from mirror_ray.engine.rollout import Asked, rollout
from mirror_ray.identity import Cell, EpisodeSpec
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.finished import FinishedEpisode
from mirror_ray.tasks.dyad import FAMILY
from mirror_ray.types import Reply, Request
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
