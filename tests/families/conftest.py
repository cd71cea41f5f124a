"""One way to name an episode in these tests."""

from collections.abc import Callable

import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar


@pytest.fixture(scope="session")
def spec_of() -> Callable[..., EpisodeSpec]:
    def make(
        condition: str,
        scene_seed: int = 0,
        run: int = 0,
        *,
        model: str = "scripted/observer",
        temperature: float = 0.2,
        variant: str = "paper",
        **axes: Scalar,
    ) -> EpisodeSpec:
        seats = (("subject", model),)
        cell = Cell("selfid", condition, seats, temperature, variant, tuple(sorted(axes.items())))
        return EpisodeSpec(cell, scene_seed, run)

    return make
