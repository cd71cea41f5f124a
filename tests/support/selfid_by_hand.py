"""selfid's replies as a model writes them, and an episode played by them: no model, no pixels."""

import json
from collections.abc import Iterable
from typing import Any

from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.selfid.play import play

COMMON_KEYS = {"parse_status", "parse_fixes", "superseded"}
FACTS = {
    name: [1, 2] if name in {"other_reflection_px", "other_px"} else 5
    for name in columns_of("selfid").steps.names
    if name.endswith("_px")
}


def says(action: str = "w", identification: Any = "unknown", **more: Any) -> Reply:
    found = {
        "view-description": "v",
        "reasoning": "because",
        "action": action,
        "summary": "so far",
        "selected_cube": "none",
        "identification": identification,
    }
    return Reply(text=json.dumps(found | more), finish_reason="stop")


def says_freely(action: str = "w", identification: str = "unknown") -> Reply:
    found = json.loads(says(action, identification).text)
    del found["selected_cube"]
    return Reply(text=json.dumps(found), finish_reason="stop")


NONSENSE = Reply(text="I am a robot.", finish_reason="stop")
DOWN = Reply(text="", error_kind="server", error="503")


def run(spec: EpisodeSpec, replies: Iterable[Reply]) -> tuple[list[Ask], Outcome]:
    """All asks and the outcome; fails where the replies do not last, or a column is missing."""
    playing = play(spec, spec.rng())
    asks, outcome = [next(playing)], None
    for reply in replies:
        try:
            asks.append(playing.send(Turn(Observation((), "f", FACTS), reply)))
        except StopIteration as end:
            outcome = end.value
            break
    assert outcome is not None, f"still playing after {len(asks)} asks"
    assert len(outcome.steps) == len(asks)
    for row in outcome.steps:
        assert set(row) == {*columns_of("selfid").steps.names, *COMMON_KEYS}
    assert set(outcome.fields) == set(columns_of("selfid").episodes.names)
    return asks, outcome
