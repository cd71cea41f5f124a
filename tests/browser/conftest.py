"""A real Chromium without a window, driven through its own protocol; nothing leaves loopback."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

# A busy machine is not a page that hangs.
expect.set_options(timeout=30_000)

# Chromium itself refuses: a handler of each request would race with pages that close meanwhile.
STAY_HERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass
class Watched:
    """A page, and all that a reader of its console would complain about."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    """Errors of scripts, and what the page's policy or the network refused."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of this module alone: its driver's event loop would be in the way of asynchronous tests."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"none of {', '.join(NAMES)} is installed: tests/browser/install.sh does it")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=[STAY_HERE])
        yield browser
        browser.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """A new page in a profile of its own; requests beyond this machine fail, with a complaint."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(30_000)
    watched = Watched(page)
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    page.on(
        "console",
        lambda said: watched.complaints.append(said.text) if said.type == "error" else None,
    )
    yield watched
    context.close()
