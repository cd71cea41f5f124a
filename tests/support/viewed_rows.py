"""Rows of an episode as pages get them, written by hand: of any family, with anybody's columns."""

from typing import Any

from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.viewer.episode_record import ViewedRecord


def step(ask: int, number: int | None = None, **columns: Any) -> dict[str, Any]:
    common = {
        "ask": ask,
        "step": number or ask,
        "role": "subject",
        "superseded": False,
        "error_kind": "none",
        "system": "Be brief.",
        "user": f"Question {ask}?",
        "reply": "It is a dog.",
    }
    return {**dict.fromkeys(STEPS.names), **common, **columns}


def record(*steps: dict[str, Any], **columns: Any) -> ViewedRecord:
    common = {
        "family": "riddles",
        "condition": "R1",
        "model": "some/model",
        "episode_id": "0123456789abcdef",
        "scene_seed": 3,
        "run": 0,
        "variant": "paper",
        "take": 1,
        "n_asks": len(steps),
        "error_kind": "none",
    }
    episode = {**dict.fromkeys(EPISODES.names), **common, **columns}
    return ViewedRecord(episode, steps, (), None)
