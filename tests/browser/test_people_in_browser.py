"""A person at a real Chromium: consent, keys, a reload, a killed server, and the rows."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from PIL import Image
from playwright.sync_api import Page, expect

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.records.manifest import read_manifest
from support.benchmark_scripts import script

pytestmark = pytest.mark.thorough("people/test_study.py asks the same server over HTTP")

STEPS = 3


def sweep(folder: Path) -> Path:
    stages = [
        {
            "family": "selfid",
            "conditions": ["E1"],
            "seeds": 2,
            "temperature": [0.2],
            "max_steps": STEPS,
        },
        {"family": "flipset", "conditions": ["L2"], "seeds": 2, "temperature": [None]},
    ]
    file = folder / "both.yaml"
    told = {
        "name": "both",
        "models": ["scripted/blind"],
        "stages": stages,
        "out": str(folder / "run"),
    }
    file.write_text(yaml.safe_dump(told))
    return file


@contextmanager
def serving(file: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command itself, and the person's link."""
    command = [sys.executable, "-m", "mirror_ray", "people", str(file), "--person", "p1"]
    with subprocess.Popen(
        [*command, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True, env={**os.environ}
    ) as server:
        assert server.stdout is not None
        said = ""
        while not said.endswith("}\n") or said.count("{") != said.count("}"):
            line = server.stdout.readline()
            assert line, "the server ended"
            said += line
        yield server, json.loads(said)["addresses"]["human/p1"]
        server.kill()


def answered(page: Page, key: str) -> None:
    """Presses a key, and waits until another ask, or the end, is there."""
    turn = page.locator("[name=turn]").input_value()
    page.keyboard.press(key)
    expect(page.locator(f"[name=turn][value='{turn}']")).to_have_count(0)
    expect(page.locator("#answer, h1")).to_have_count(1)


def test_docs_picture_is_drawn(watched, tmp_path: Path) -> None:
    screens = script("screens")
    with screens.people_link(tmp_path / "run") as link:
        screens.people_page(watched.page, link, tmp_path / "people.png")
    assert Image.open(tmp_path / "people.png").size == (1024, 900)


def test_a_person_agrees_plays_reloads_and_goes_on_after_a_kill(watched, tmp_path: Path) -> None:
    page, file, pressed = watched.page, sweep(tmp_path), []
    with serving(file) as (server, link):
        page.goto(link)
        expect(page.locator("h1")).to_have_text("Before you begin")
        expect(page.locator("img, [name=turn]")).to_have_count(0)
        assert "token" not in page.url
        page.get_by_role("button", name="I agree, and begin").click()
        for _ in range(STEPS):
            expect(page.locator("#answer")).to_be_visible()
            is_walk = page.locator("[data-key=w]").count() > 0
            if is_walk and not pressed:
                # A word, and then the keys again.
                page.locator("[name=text-0]").fill("green")
                page.keyboard.press("w")
                expect(page.locator("[name=text-0]")).to_have_value("greenw")
                page.keyboard.press("Enter")
            shown = page.locator("main img").first
            expect(shown).to_be_visible()
            assert shown.evaluate("one => one.naturalWidth") > 0
            pressed.append("d" if is_walk else "b")
            answered(page, pressed[-1])
        words, head = page.locator(".words").first.inner_text(), page.locator("header").inner_text()
        page.reload()
        assert page.locator(".words").first.inner_text() == words
        assert page.locator("header").inner_text() == head
        server.send_signal(signal.SIGKILL)
        server.wait()
    out = str(tmp_path / "run")
    with serving(file) as (server, link):
        page.goto(link)
        # Agreed to already, and at the very ask that was open.
        expect(page.locator("#answer")).to_be_visible()
        assert page.locator(".words").first.inner_text() == words
        while page.locator("#answer").count():
            is_walk = page.locator("[data-key=w]").count() > 0
            pressed.append("d" if is_walk else "b")
            answered(page, pressed[-1])
        expect(page.locator("h1")).to_have_text("That was all")
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0
    assert watched.complaints == []
    assert sorted(pressed) == ["b"] * 2 + ["d"] * 2 * STEPS
    with open_run(out) as connection:
        steps = connection.execute(
            "select model, action, parse_status, count(*), count(distinct (episode_id, ask)),"
            " count(*) filter (where identification <> 'unknown'), min(latency_s) > 0"
            " from shard.selfid_steps group by all"
        ).fetchall()
        cards = connection.execute(
            "select model, answer, parse_status, count(*) from shard.flipset_steps group by all"
        ).fetchall()
        scores = connection.execute(
            "select model, n from summary.people where family = 'flipset' order by model"
        ).fetchall()
    named = steps[0][5]
    assert steps == [("human/p1", "d", "strict", 2 * STEPS, 2 * STEPS, named, True)]
    assert named in (0, STEPS)
    assert cards == [("human/p1", "B", "strict", 2)]
    assert scores == [("human/majority", 2), ("human/p1", 2)]
    runs = read_manifest(out)["runs"]
    assert ["people" in run for run in runs] == [True, False]
