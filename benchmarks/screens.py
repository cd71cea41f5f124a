"""Draw the pictures of pages in the docs: a film, the viewer, a person's page, reports, metacog.

Needs two finished runs, and Chromium or Chrome for everything but the film's page:

    mirror-ray run sweeps/quickstart.yaml --out /tmp/quickstart
    mirror-ray run sweeps/metacog.yaml --out /tmp/metacog
    python benchmarks/screens.py /tmp/quickstart [/tmp/metacog] [--out docs]
"""

import json
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

os.environ.setdefault("MUJOCO_GL", "egl")

from PIL import Image

from mirror_ray.analysis.report.files import write_report
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main as mirror_ray
from mirror_ray.records.manifest import read_manifest
from mirror_ray.replay.episode import drawn_steps, find_episode
from mirror_ray.replay.film.page import Pages
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.world.renderer import Renderer

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
METACOG_FIGURES = ("metacog_reliability", "metacog_escalation")

PEOPLE = ("people", "quickstart", "stages.0.conditions=[E1]", "stages.0.seeds=1")

WANTED_PX = 6_000
"""Pixels of the own reflection: the whole body and part of the room."""

_STEPS = """
select episode_id, arg_min(step, abs(ego_reflection_px - $px)) as step
from stage.selfid_steps
group by episode_id
order by max(condition = 'E4' and model = 'scripted/observer') desc,
    min(abs(ego_reflection_px - $px)), episode_id
limit 1
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw and save the pictures; without a browser only the film's page."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("selfid", help="a run of sweeps/quickstart.yaml")
    parser.add_argument("metacog", nargs="?", help="a run of sweeps/metacog.yaml")
    parser.add_argument("--out", type=Path, default=Path("docs"))
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    episode_id, step = shown_best(chosen.selfid)
    film_page(chosen.selfid, episode_id, step, chosen.out / "replay.png")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"found none of {', '.join(BROWSERS)}: the other pages are unchanged")
        return
    with TemporaryDirectory() as folder:
        pages = Path(folder)
        mirror_ray(
            ["view", chosen.selfid, "--static", folder, "--where", f"episode_id = '{episode_id}'"]
        )
        with page_of(browser) as page:
            viewer_page(page, pages / f"{episode_id}.html", step, chosen.out / "viewer.png")
        with people_link(pages / "people") as link, page_of(browser) as page:
            people_page(page, link, chosen.out / "people.png")
        for run, draw, name in (
            (chosen.selfid, report_page, "report.png"),
            (chosen.metacog, figures, "metacog.png"),
        ):
            if run is not None:
                # Before the browser: its driver prevents running an event loop.
                write_report(run, str(pages / name))
                with page_of(browser) as page:
                    draw(page, pages / name / "index.html", chosen.out / name)


def shown_best(run: str) -> tuple[str, int]:
    """Return an episode and its step that shows the own reflection best."""
    with open_run(run) as connection:
        row = connection.execute(_STEPS, {"px": WANTED_PX}).fetchone()
    if row is None:
        raise SystemExit(f"{run}: no steps")
    return row


def film_page(run: str, episode_id: str, step: int, path: Path) -> None:
    """Return the page of a film that shows this step."""
    recording = find_episode(run, recorded_episodes(run, read_manifest(run)), episode_id)
    pages, renderer = Pages(recording), Renderer()
    for drawn_step in drawn_steps(recording, renderer):
        page = pages.page(drawn_step)
        if drawn_step.row["step"] == step:
            page.save(path, optimize=True)
    renderer.close()


@contextmanager
def page_of(browser: str) -> Iterator["Page"]:
    """Yield an empty page that can reach only files."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - a tool of tests

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser)
        page = chromium.new_page(viewport={"width": 1360, "height": 1190})
        page.set_default_timeout(60_000)
        yield page
        chromium.close()


def viewer_page(page: "Page", file: Path, step: int, path: Path) -> None:
    """Draw an episode's page at a step."""
    page.goto(f"{file.as_uri()}#step-{step}")
    page.screenshot(path=path)


@contextmanager
def people_link(out: Path) -> Iterator[str]:
    """Yield a person's link to a study of one scene, served for the duration of the block."""
    words = [*PEOPLE, f"out={out}", "--person", "p01", "--port", "0", "--json"]
    command = [sys.executable, "-m", "mirror_ray", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        said = ""
        for line in server.stdout or ():
            said += line
            if line.startswith("}"):
                break
        yield json.loads(said)["addresses"]["human/p01"]
        server.terminate()


def people_page(page: "Page", link: str, path: Path) -> None:
    """Draw a person's first question, below the consent text."""
    page.set_viewport_size({"width": 1024, "height": 900})
    page.goto(link)
    page.get_by_role("button", name="I agree, and begin").click()
    page.locator("#answer").wait_for()
    page.screenshot(path=path)


def report_page(page: "Page", file: Path, path: Path) -> None:
    """Draw the top of a report."""
    page.set_viewport_size({"width": 1024, "height": 1120})
    page.goto(file.as_uri())
    page.screenshot(path=path)


def figures(page: "Page", file: Path, path: Path) -> None:
    """Draw two figures of a report, one below the other."""
    page.goto(file.as_uri())
    with TemporaryDirectory() as folder:
        parts = [Path(folder) / f"{name}.png" for name in METACOG_FIGURES]
        for name, part in zip(METACOG_FIGURES, parts, strict=True):
            page.locator(f"#{name}").screenshot(path=part)
        drawn = [Image.open(part).convert("RGB") for part in parts]
    size = max(one.width for one in drawn), sum(one.height for one in drawn)
    sheet = Image.new("RGB", size, "white")
    top = 0
    for one in drawn:
        sheet.paste(one, (0, top))
        top += one.height
    sheet.save(path, optimize=True)


if __name__ == "__main__":
    main()
