"""Pictures for exports: those that the asks of a recorded episode showed, drawn again."""

import json
from base64 import b64decode
from hashlib import sha256
from io import BytesIO

import numpy as np
import pytest
from PIL import Image as PngFile

from mirror_ray.cli import main
from mirror_ray.core.types import Frame, Reply
from mirror_ray.engine.rollout import DrawnPicture
from mirror_ray.records.manifest import read_manifest
from mirror_ray.replay.pictures import EpisodePictures
from mirror_ray.world.opengl.encode import encode
from support.recorded_run import plan_for, record_run


class Painter:
    """Draws a view as a picture of its own, and counts."""

    def __init__(self, *, shade: int = 0) -> None:
        self.shade, self.n_drawn = shade, 0

    def draw(self, view):
        self.n_drawn += 1
        seen = sha256(repr(view).encode()).digest()[0]
        rgb = np.full((view.height_px, view.width_px, 3), (seen + self.shade) % 256, np.uint8)
        return Frame(rgb, {"mirror_px": seen, "ego_reflection_px": 0, "cube_px": [0, 0, 0]})

    def close(self):
        self.n_drawn = -1


async def drawn(view):
    frame = Painter().draw(view)
    return DrawnPicture(encode(frame.rgb, view.encoding), frame.facts)


def says_w(_):
    return Reply(json.dumps({"action": "w", "identification": "unknown", "selected_cube": "none"}))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("pictures") / "run"
    plan = plan_for(out, runs=2, frames=4, image="320x240", max_steps=3)
    record_run(plan, says_w, draw=drawn)
    return str(out), [spec.episode_id for spec in plan.episodes]


def test_each_ask_has_what_it_showed(run):
    out, ids = run
    pictures = EpisodePictures({out: read_manifest(out)}, Painter)
    found = dict(pictures(ids))
    assert set(found) == set(ids)
    for asks in found.values():
        assert {ask: len(one.images) for ask, one in asks.items()} == {1: 1, 2: 2, 3: 3}
        assert all(one.is_as_recorded for one in asks.values())
    assert pictures.notes == []


def test_other_pixels_are_told(run):
    out, ids = run
    pictures = EpisodePictures({out: read_manifest(out)}, lambda: Painter(shade=7))
    ((_, asks),) = pictures(ids[:1])
    assert not any(one.is_as_recorded for one in asks.values())
    assert "3 of 3 requests are drawn with other pixels" in pictures.notes[0]


def test_what_is_not_asked_for_or_shows_nothing_is_not_drawn(run):
    out, ids = run
    painter = Painter()
    pictures = EpisodePictures({out: read_manifest(out)}, lambda: painter)
    assert list(pictures([])) == list(pictures(["0" * 16])) == []
    assert painter.n_drawn == 0
    list(pictures(ids))
    assert painter.n_drawn == 12
    pictures.close()
    assert painter.n_drawn == -1


def test_a_record_of_what_is_not_here_gives_none_and_says_why(run):
    out, ids = run
    manifest = json.loads(json.dumps(read_manifest(out)))
    manifest["sweep"]["plugins"] = {"families absent": "mirror-absent 1.0"}
    pictures = EpisodePictures({out: manifest}, Painter)
    assert list(pictures(ids)) == []
    assert "mirror-absent 1.0" in pictures.notes[0]


def test_inspects_messages_hold_them(run, tmp_path, monkeypatch, capsys):
    from inspect_ai.log import read_eval_log

    out, ids = run
    monkeypatch.setattr("mirror_ray.cli.export.new_renderer", Painter)
    assert main(["export", out, "--to", "inspect", "--out", str(tmp_path), "--json"]) == 0
    (path,) = json.loads(capsys.readouterr().out)["paths"]
    samples = read_eval_log(path, resolve_attachments=True).samples
    assert [sample.id for sample in samples] == sorted(ids, key=[one.id for one in samples].index)
    user = [message for message in samples[0].messages if message.role == "user"]
    assert [[part.type for part in one.content] for one in user] == [
        ["text", *["image"] * n] for n in (1, 2, 3)
    ]
    kind, _, data = user[0].content[1].image.partition(",")
    assert kind == "data:image/png;base64"
    assert PngFile.open(BytesIO(b64decode(data))).size == (320, 240)
    assert user[0].metadata == {"pictures_as_recorded": True}
    (event, *_) = (one for one in samples[0].events if one.event == "model")
    assert event.input[-1].content[1].type == "image"
    words = ["export", out, "--to", "inspect", "--out", str(tmp_path / "w"), "--no-pictures"]
    assert main(words) == 0
    (plain,) = (tmp_path / "w").iterdir()
    assert all(
        isinstance(one.content, str) for one in read_eval_log(str(plain)).samples[0].messages
    )
