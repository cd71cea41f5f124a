"""Two engines for the session; without them only the tests of vision are played."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from real_engine import (
    GEMMAS_TEMPLATE,
    Engine,
    ForeignProcessorError,
    gemma,
    missing,
    running,
    smol,
)
from real_runs import a_port


@pytest.fixture(scope="session")
def engine_runs(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip the test if the engine or its weights are missing, or if it cannot run here."""
    if (why := missing()) is not None:
        pytest.skip(why)
    try:
        with running(smol(), a_port(), tmp_path_factory.mktemp("trial")):
            pass
    except ForeignProcessorError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def gemmas_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "gemma.jinja"
    path.write_text(GEMMAS_TEMPLATE)
    return path


@pytest.fixture(scope="session")
def engines(
    engine_runs: None, gemmas_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Engine]]:
    """SmolLM2 and Gemma, each behind an engine of its own."""
    folder = tmp_path_factory.mktemp("engines")
    template = ("--chat-template-file", str(gemmas_template))
    with (
        running(smol(), a_port(), folder) as first,
        running(gemma(), a_port(), folder, template) as second,
    ):
        yield {"smol": first, "gemma": second}
