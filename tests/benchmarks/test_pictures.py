"""Pictures in docs are drawn by a script each, and these scripts work."""

import re
import sys
from pathlib import Path

import pytest
from PIL import Image

from support.benchmark_scripts import script
from support.viewed_run import viewed_run
from support.whole import mostly_thorough

ROOT = Path(__file__).parents[2]
DRAWN_BY = {
    "pictures": ("conditions.png", "others.png", "mirrors.png", "looks.png"),
    "flipset_pictures": ("flipset.png",),
    "mirrorqa_pictures": ("mirrorqa.png",),
    "marktest_pictures": ("marktest.png",),
    "contingency_pictures": ("contingency.png",),
    "dyad_pictures": ("dyad.png",),
    "metacog_staircase": ("metacog_staircase.png",),
    # All but the film's need a browser: tests/browser draws them.
    "screens": ("replay.png", "viewer.png", "people.png", "report.png", "metacog.png"),
}
OTHERS = (
    *("flipset_pictures", "mirrorqa_pictures", "marktest_pictures", "contingency_pictures"),
    "dyad_pictures",
)


def test_every_picture_of_docs_is_drawn_by_a_script() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {
        name
        for page in pages
        for name in re.findall(r"\]\((?:docs/)?(\w+\.png)\)", page.read_text())
    }
    assert shown == {name for names in DRAWN_BY.values() for name in names}
    for name, pictures in DRAWN_BY.items():
        text = (ROOT / "benchmarks" / f"{name}.py").read_text()
        assert all(picture in text for picture in pictures), name


def test_a_films_page_is_drawn(tmp_path: Path) -> None:
    run = tmp_path / "run"
    viewed_run(run, conditions=("E1",))
    screens = script("screens")
    episode_id, step = screens.shown_best(str(run))
    screens.film_page(str(run), episode_id, step, tmp_path / "replay.png")
    picture = Image.open(tmp_path / "replay.png").convert("RGB")
    assert picture.width == 1200
    assert len(picture.getcolors(1_000_000) or ()) > 100


def test_selfid_s_pictures_are_drawn(tmp_path: Path) -> None:
    script("pictures").main(["--out", str(tmp_path), "--width", "80"])
    for name in DRAWN_BY["pictures"]:
        picture = Image.open(tmp_path / name)
        lines = 2 if name == "mirrors.png" else 1
        assert picture.size == (5 * 80 + 4 * 6, lines * (60 + 9))
        # A mirror shows the room, a panel in its place the wall alone.
        colors = [
            len(picture.crop((at, 10, at + 80, 69)).convert("RGB").getcolors(10_000) or ())
            for at in range(0, 5 * 86, 86)
        ]
        assert min(colors[:1] + colors[2:]) > 100
        if name == "conditions.png":
            assert colors[1] < colors[0] / 2


@pytest.mark.parametrize("name", mostly_thorough(2, OTHERS))
def test_other_pictures_are_drawn(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = script(name)
    monkeypatch.setattr(drawing, "WIDTH_PX", 80)
    monkeypatch.setattr(drawing, "HEIGHT_PX", 60)
    out = tmp_path / DRAWN_BY[name][0]
    monkeypatch.setattr(sys, "argv", [name, "--out", str(out)])
    drawing.main()
    picture = Image.open(out).convert("RGB")
    assert len(picture.getcolors(1_000_000) or ()) > 100
