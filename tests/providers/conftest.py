"""A loopback server with a scarce allowance, the usual one being the whole session's; and files."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.loopback import Loopback, loopback_server
from support.providers.hosted_asks import KEY


@pytest.fixture
def loopback_with_allowance() -> Iterator[Loopback]:
    with loopback_server("--rpm", "60") as server:
        yield server


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """A function: writes a catalogue file."""

    def write(text: str, name: str = "mine.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture
def loopback_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the loopback server's models are asked with."""
    monkeypatch.setenv("LOOPBACK_KEY", KEY)


@pytest.fixture(params=["hosted_vllm", "openai", "lm_studio"])
def provider(request: pytest.FixtureRequest) -> str:
    """Three ways to a server: without litellm, with calls that litellm writes, and through it."""
    return str(request.param)
