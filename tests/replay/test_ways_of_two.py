"""A room of two, played again: the map of a turn shows the way of the body whose turn it is."""

import asyncio
import json

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.rollout import Asked, rollout
from mirror_ray.families.dyad.family import FAMILY
from mirror_ray.records.journal.entry import Entry
from mirror_ray.replay.episode import RecordedEpisode, replay_steps
from support.recorded_run import draw_nothing

MODELS = (("subject", "lab/a"), ("partner", "lab/b"))
SPEC = EpisodeSpec(Cell("dyad", "mirror", MODELS, 0.2, "plain", (("max_steps", 3),)), 0, 0)


async def ask(request: Request, asked: Asked) -> Entry:
    action = "a" if request.model == "lab/a" else "d"
    text = json.dumps({"action": action, "selected_cube": "none", "identification": "unknown"})
    return asked.answered(request, Reply(text, finish_reason="stop"))


def test_each_body_has_its_own_way() -> None:
    finished = asyncio.run(rollout(FAMILY, SPEC, sweep="s", prefix=(), draw=draw_nothing, ask=ask))
    steps = tuple({**row, "take": 1} for row in finished.steps)
    recording = RecordedEpisode(FAMILY, SPEC, {**finished.episode, "take": 1}, steps)
    ways = [(step.row["role"], step.way) for step in replay_steps(recording)]
    assert [(role, len(way)) for role, way in ways] == [
        *(("subject", 1), ("partner", 1)),
        *(("subject", 2), ("partner", 2)),
        *(("subject", 3), ("partner", 3)),
    ]
    start = {row["role"]: row["yaw_deg"] for row in reversed(steps)}
    (_, subject), (_, partner) = ways[-2:]
    # The one turned left, the other right, and neither way has a pose of the other's.
    assert [pose.yaw_deg for pose in subject] == [
        (start["subject"] + 30 * n) % 360 for n in range(3)
    ]
    assert [pose.yaw_deg for pose in partner] == [
        (start["partner"] - 30 * n) % 360 for n in range(3)
    ]
