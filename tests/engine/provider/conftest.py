"""Actors that several tests of a module share."""

from collections.abc import Iterator

import pytest
import ray

from support.engine.provider_scenes import Actors, started
from support.plans import hosted


@pytest.fixture(scope="module")
def shared(ray_session, loopback, tmp_path_factory) -> Iterator[Actors]:
    """Of several tests, since each actor is a process: no budget, and nothing is counted."""
    agents = ("blind", "blind~503~1", "blind~500", "blind~echo_key", "blind~filter")
    actors = started(tmp_path_factory.mktemp("run"), [hosted(loopback, one) for one in agents])
    yield actors
    for each in actors[1:]:
        ray.kill(each)
