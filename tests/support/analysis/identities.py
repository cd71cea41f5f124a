"""The columns by which every synthetic row says whose it is."""

from typing import Any

from mirror_ray.core.identity import content_hash


def identity(
    family: str, condition: str, model: str, variant: str, scene_seed: int
) -> dict[str, Any]:
    """Of the first take of a scene's only run, at temperature 0.2."""
    cell = (family, condition, model, variant)
    return {
        "sweep": "synthetic",
        "family": family,
        "condition": condition,
        "model": model,
        "cell_id": content_hash(*cell),
        "episode_id": content_hash(*cell, scene_seed),
        "scene_seed": scene_seed,
        "run": 0,
        "temperature": 0.2,
        "variant": variant,
        "take": 1,
    }
