"""What a reader does and sees on the viewer's pages, in a browser."""

from playwright.sync_api import Page, expect


def drawn(page: Page, name: str) -> list[int]:
    """Widths of the pictures of a class in the shown ask, as they came; 0 is none."""
    images = page.locator(f".ask.here img.{name}")
    return [
        image.evaluate("image => image.decode().then(() => image.naturalWidth)")
        for image in images.all()
    ]


def open_first(page: Page) -> None:
    """From the list to its first episode, until keys do something there."""
    page.locator("a.id").first.click()
    shows(page, "selfid E1")


def shows(page: Page, title: str) -> None:
    expect(page.locator("h1")).to_contain_text(title)
    expect(page.locator("#where")).to_have_text("step 1 of 4")


def harm(page: Page) -> object:
    return page.evaluate("window.harm")
