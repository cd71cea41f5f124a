"""What several packages' tests share: one Ray and one renderer, and loopback servers."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from support.google_store import google_store
from support.loopback import Loopback, loopback_server
from support.object_store import ObjectStore, object_store

if TYPE_CHECKING:
    from mirror_ray.world.renderer import Renderer


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
def renderer() -> Iterator["Renderer"]:
    """One for all: a process should not make its context anew."""
    # Imported late: most tests draw nothing.
    from mirror_ray.world.renderer import Renderer

    made = Renderer()
    yield made
    made.close()


@pytest.fixture(scope="session")
def loopback() -> Iterator[Loopback]:
    """The OpenAI-protocol server, shared: its counts are of the whole session."""
    with loopback_server() as server:
        yield server


@pytest.fixture(scope="session")
def store() -> Iterator[ObjectStore]:
    """The S3 server, shared: every test has a bucket of its own."""
    with object_store() as running:
        yield running


@pytest.fixture
def bucket(store: ObjectStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A new bucket's address; this process may use it, and keeps its journals aside."""
    for name, value in store.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return store.make_bucket(f"bucket-{uuid4().hex}")


@pytest.fixture
def google_bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """As `bucket`, in Google Cloud Storage."""
    with google_store("bucket") as port:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        yield "gs://bucket"
