"""What several packages' tests share: one Ray for the whole session, and a loopback server."""

import logging
import os
from collections.abc import Iterator

import pytest
from support.loopback import Loopback, loopback_server


@pytest.fixture(scope="session")
def ray_session() -> Iterator[None]:
    """A local Ray without dashboard; code under test finds it running and leaves it so."""
    os.environ["RAY_AUTH_MODE"] = "disabled"
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    import ray

    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
        object_store_memory=100 * 2**20,
    )
    yield
    ray.shutdown()


@pytest.fixture(scope="session")
def loopback() -> Iterator[Loopback]:
    """The OpenAI-protocol server, shared: its counts are of the whole session."""
    with loopback_server() as server:
        yield server
