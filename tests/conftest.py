"""What several packages' tests share: one Ray and one renderer for each worker, loopback servers,
and the order of files."""

import gc
import logging
import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from support import slower
from support.google_store import google_store
from support.loopback import Loopback, loopback_server
from support.object_store import ObjectStore, object_store

if TYPE_CHECKING:
    from mirror_ray.world.renderer import Renderer

# Modules that import litellm while tests are collected: it would ask for prices outside.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"

# A Ray of the tests lives for minutes: workers that are started ahead, and figures that nobody
# reads, take half of what it takes while it waits.
os.environ["RAY_prestart_worker_first_driver"] = "0"  # noqa: SIM112 - as Ray spells it
os.environ["RAY_enable_metrics_collection"] = "0"  # noqa: SIM112
# So does looking at its memory and its resources several times a second.
os.environ["RAY_memory_monitor_refresh_ms"] = "0"  # noqa: SIM112 - as Ray spells it
os.environ["RAY_raylet_report_resources_period_milliseconds"] = "1000"  # noqa: SIM112 - as Ray's

# A million objects live as long as a worker does, and every few hundred new ones had them counted.
gc.set_threshold(50_000, 20, 20)
# Nothing that is made while tests are collected is garbage.
gc.disable()

# How long an example takes says something of the machine alone.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

ROOT = Path(__file__).parent
_USE_RAY = pytest.StashKey[set[Path]]()
SLOW_FOLDERS = ("chaos", "contract", "docs", "cli", "api", "hostile", "wheel", "browser")
"""Their files begin first, after those of `slower.LONGEST`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-processes", action="store_true", help="skip every test that starts a process"
    )
    parser.addoption(
        "--fast", action="store_true", help="leave out what takes long: what is left takes a minute"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With --fast: what takes long is not even imported."""
    if not config.getoption("fast") or not collection_path.is_relative_to(ROOT):
        return None
    name = collection_path.relative_to(ROOT).as_posix()
    return True if name in slower.FOLDERS | slower.FILES else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("thorough"):
            if len(mark.args) != 1 or not isinstance(mark.args[0], str) or not mark.args[0]:
                told = "thorough(instead) names what `make test` plays in its place"
                raise pytest.UsageError(f"{item.nodeid}: {told}; got {mark.args}")
        # A browser whose start is skipped in its middle leaves an event loop running.
        if item.config.getoption("no_processes") and _folder_of(item.path) == "browser":
            item.add_marker(pytest.mark.skip(reason="starts a browser"))
    # The run of the docs asks for it only where another worker has not begun it.
    asking = {"ray_session", "quickstart"}
    use_ray = {item.path for item in items if asking & set(getattr(item, "fixturenames", ()))}
    config.stash[_USE_RAY] = use_ray
    # They begin first, because their Ray computes something as long as it lives.
    items.sort(key=lambda item: (item.path not in use_ray, _rank(item.path)))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def _folder_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


@cache
def _rank(path: Path) -> int:
    name = path.relative_to(ROOT).as_posix()
    if name in slower.LONGEST:
        return slower.LONGEST.index(name) - len(slower.LONGEST)
    folder = _folder_of(path)
    return SLOW_FOLDERS.index(folder) if folder in SLOW_FOLDERS else len(SLOW_FOLDERS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """With --no-processes: whoever would start a process is skipped at that moment."""

    def skip(*_: object, **__: object) -> None:
        pytest.skip("starts a process")

    with pytest.MonkeyPatch.context() as patch:
        if item.config.getoption("no_processes"):
            patch.setattr(subprocess.Popen, "__init__", skip)
        return (yield)


@pytest.fixture(scope="module")
def ray_session() -> None:
    """A local Ray without dashboard; code under test finds it running and leaves it so. It lives
    until a module comes that needs none."""
    import ray
    from ray._private.node import Node

    if ray.is_initialized():
        return
    os.environ["RAY_AUTH_MODE"] = "disabled"
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    with pytest.MonkeyPatch.context() as patch:
        # What looks into all logs ten times a second for a driver that wants none, what would ask
        # a cloud for hosts, and what would count users: half of what such a Ray takes.
        for needless in ("start_log_monitor", "start_monitor", "start_api_server"):
            patch.setattr(Node, needless, lambda *_, **__: None)
        ray.init(
            address="local",
            num_cpus=2,
            resources={"pretended_gpu": 2.0},
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            object_store_memory=100 * 2**20,
        )


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if (
        nextitem is None or nextitem.path not in item.config.stash[_USE_RAY]
    ) and "ray" in sys.modules:
        sys.modules["ray"].shutdown()


@pytest.fixture(scope="module")
def ray_env(ray_session: None) -> dict[str, str]:
    """What the environment of a command adds that plays in this Ray, as on a cluster."""
    import ray

    address = ray.get_runtime_context().gcs_address
    return {"RAY_ADDRESS": address, "RAY_AUTH_MODE": "disabled"}


@pytest.fixture(scope="session")
def renderer() -> Iterator["Renderer"]:
    """One for all: a process should not make its context anew."""
    # Imported late: most tests draw nothing.
    from mirror_ray.world.renderer import Renderer

    made = Renderer()
    yield made
    made.close()


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of reports are a few bytes: drawing them takes a third of a small report's time."""
    import vl_convert

    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    monkeypatch.setattr(vl_convert, "vegalite_to_svg", lambda *_, **__: svg)
    monkeypatch.setattr(vl_convert, "svg_to_png", lambda *_, **__: b"png")
    monkeypatch.setattr(vl_convert, "svg_to_pdf", lambda *_, **__: b"pdf")


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
