"""A loopback server with a scarce allowance; the usual one is the whole session's."""

from collections.abc import Iterator

import pytest
from support.loopback import Loopback, loopback_server


@pytest.fixture
def loopback_with_allowance() -> Iterator[Loopback]:
    with loopback_server("--rpm", "60") as server:
        yield server
